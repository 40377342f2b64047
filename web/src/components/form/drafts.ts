import { local } from '../../lib/storage.ts'

/** Unsubmitted values and when they were kept. */
export type Draft<V> = { keptAt: string; values: V }

const nameOf = (key: string) => `draft:${key}`

/** The draft under this key merged into the initial values, so that a field added since then has a value. */
export function readDraft<V extends object>(key: string, initial: V): Draft<V> | null {
  const kept = local.get(nameOf(key))
  if (!kept) return null
  try {
    const { keptAt, values } = JSON.parse(kept) as Partial<Draft<Partial<V>>>
    if (typeof keptAt !== 'string' || typeof values !== 'object' || values === null) return null
    return { keptAt, values: { ...initial, ...values } }
  } catch {
    return null
  }
}

/** Stores the values as a draft, without the fields named in `secret`. */
export function keepDraft(key: string, values: object, secret: readonly string[]): void {
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.includes(name)))
  local.set(nameOf(key), JSON.stringify({ keptAt: new Date().toISOString(), values: kept } satisfies Draft<object>))
}

export function forgetDraft(key: string): void {
  local.remove(nameOf(key))
}
