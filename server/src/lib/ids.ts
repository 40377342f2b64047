/** Ids of records. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { v5, v7 } from 'uuid'

const source = new AsyncLocalStorage<() => string>()

/** A new UUIDv7. Such ids sort by time, so inserts go to the end of an index. */
export function newId(): string {
  return (source.getStore() ?? v7)()
}

/** Runs `work` with the ids of `next` instead of random ones: the demo's past must be the same in every run. */
export function withIds<T>(next: () => string, work: () => Promise<T>): Promise<T> {
  return source.run(next, work)
}

/** An arbitrary UUID. It must never change: ids made by `derivedId` are in the database. */
const namespace = '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90'

/** The id of a record that is unique by its name (UUIDv5), so that no query is needed to find it. */
export function derivedId(name: string): string {
  return v5(name, namespace)
}
