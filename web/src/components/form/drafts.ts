import { local } from '../../lib/storage.ts'

/** What was typed and not submitted, and when. */
export type Draft<V> = { keptAt: string; values: V }

const nameOf = (key: string) => `draft:${key}`

/** The draft under this key, laid over the beginning: a field that is new since then keeps its beginning. */
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

/** Keeps what stands in the fields, but for those named in `secret`. */
export function keepDraft(key: string, values: object, secret: readonly string[]): void {
  const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.includes(name)))
  local.set(nameOf(key), JSON.stringify({ keptAt: new Date().toISOString(), values: kept } satisfies Draft<object>))
}

export function forgetDraft(key: string): void {
  local.remove(nameOf(key))
}
