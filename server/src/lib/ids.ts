import { AsyncLocalStorage } from 'node:async_hooks'
import { v5, v7 } from 'uuid'

const source = new AsyncLocalStorage<() => string>()

/** A new UUIDv7: ids sort by the time of their making, so inserts stay at the end of an index. */
export function newId(): string {
  return (source.getStore() ?? v7)()
}

/** Runs `work` with the ids of `next` instead of random ones: the demo's past has to be the same in every run. */
export function withIds<T>(next: () => string, work: () => Promise<T>): Promise<T> {
  return source.run(next, work)
}

/** Any fixed UUID will do, as long as it never changes: what `derivedId` made is in the database. */
const namespace = '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90'

/** The id of the one thing with this name (UUIDv5): nobody has to look it up. */
export function derivedId(name: string): string {
  return v5(name, namespace)
}
