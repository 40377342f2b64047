// Checks that the demo has every value of every enumeration.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { enumerations, notStored, readThroughApi } from './enumerations.ts'
import { queryRows } from './query.ts'

const folder = join(import.meta.dirname, '../../../contract/src')

const isLabel = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')

/** The values of an exported enumeration: a table of labels, or a list of words. Null: neither. */
function getEnumerationValues(value: unknown): string[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => typeof each === 'string') ? value : null
  if (typeof value !== 'object' || value === null) return null
  const labels = Object.values(value)
  return labels.length > 0 && labels.every(isLabel) ? Object.keys(value) : null
}

/** Every enumeration of the contract by its exported name. */
async function readContractValues(): Promise<Map<string, string[]>> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const modules = await Promise.all(files.map((name) => import(join(folder, name)) as Promise<Record<string, unknown>>))
  return new Map(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]): [string, string[]][] => {
        const values = getEnumerationValues(value)
        return values ? [[name, values]] : []
      }),
    ),
  )
}

/** Tests of a complete demo on the server that `getDeps` returns. */
export function describeValues(getDeps: () => Deps): void {
  test('include every enumeration with labels, and none that the contract does not have', async () => {
    const contract = await readContractValues()
    const names = new Set([enumerations, notStored, readThroughApi].flatMap(Object.keys))
    expect([...contract.keys()].filter((name) => name.endsWith('Labels') && !names.has(name))).toEqual([])
    expect([...names].filter((name) => !contract.has(name))).toEqual([])
  })

  test('include every value of every enumeration, except those that the demo cannot have', async () => {
    const contract = await readContractValues()
    const wrong: Record<string, { missing: string[]; more: string[] }> = {}
    for (const [name, { query, except = {} }] of Object.entries(enumerations)) {
      const rows = await queryRows<{ value: string }>(
        `select distinct value from (${query}) as v(value) where value is not null order by 1`,
        getDeps(),
      )
      const present = rows.map(({ value }) => value)
      // An exception that no longer holds is one value too many.
      const expected = (contract.get(name) ?? []).filter((value) => !Object.hasOwn(except, value))
      const missing = expected.filter((value) => !present.includes(value))
      const more = present.filter((value) => !expected.includes(value))
      if (missing.length + more.length > 0) wrong[name] = { missing, more }
    }
    expect(wrong).toEqual({})
  })
}
