// Every value of every enumeration is in the demo.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { enumerations, notStored } from './enumerations.ts'
import { queryRows } from './query.ts'

const folder = join(import.meta.dirname, '../../../contract/src')

const isLabel = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string')

/** The values of an enumeration that the contract exports: a table of labels, or a list of words. Null: neither. */
function enumerationValues(value: unknown): string[] | null {
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
        const values = enumerationValues(value)
        return values ? [[name, values]] : []
      }),
    ),
  )
}

/** Tests of a demo that has been played, on the server whose `getDeps` it is. */
export function describeValues(getDeps: () => Deps): void {
  test('every enumeration with labels is looked for, and nothing that the contract does not have', async () => {
    const contract = await readContractValues()
    const names = new Set([...Object.keys(enumerations), ...Object.keys(notStored)])
    expect([...contract.keys()].filter((name) => name.endsWith('Labels') && !names.has(name))).toEqual([])
    expect([...names].filter((name) => !contract.has(name))).toEqual([])
  })

  test('every value of every enumeration is in the demo, but for those that it cannot have', async () => {
    const contract = await readContractValues()
    const wrong: Record<string, { missing: string[]; more: string[] }> = {}
    for (const [name, { query, except = {} }] of Object.entries(enumerations)) {
      const rows = await queryRows<{ value: string }>(
        `select distinct value from (${query}) as v(value) where value is not null order by 1`,
        getDeps(),
      )
      const present = rows.map(({ value }) => value)
      // An exception that has become untrue is one value more.
      const expected = (contract.get(name) ?? []).filter((value) => !Object.hasOwn(except, value))
      const missing = expected.filter((value) => !present.includes(value))
      const more = present.filter((value) => !expected.includes(value))
      if (missing.length + more.length > 0) wrong[name] = { missing, more }
    }
    expect(wrong).toEqual({})
  })
}
