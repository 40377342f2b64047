import { v5, v7 } from 'uuid'

/** A new UUIDv7: ids sort by the time of their making, so inserts stay at the end of an index. */
export function newId(): string {
  return v7()
}

/** Any fixed UUID will do, as long as it never changes: what `derivedId` made is in the database. */
const namespace = '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90'

/** The id of the one thing with this name (UUIDv5): nobody has to look it up. */
export function derivedId(name: string): string {
  return v5(name, namespace)
}
