// Every value of every enumeration is in the demo.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

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
export async function valuesOf(): Promise<Map<string, string[]>> {
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
