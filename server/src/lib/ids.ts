/** Ids of records. */
import { v5, v7 } from 'uuid'

/** A new UUIDv7. Such ids sort by time, so inserts go to the end of an index. */
export function newId(): string {
  return v7()
}

/** An arbitrary UUID. It must never change: ids that `derivedId` made are in the database. */
const namespace = '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90'

/** The id of a record that is unique by its name (UUIDv5), so that no query is needed to find it. */
export function derivedId(name: string): string {
  return v5(name, namespace)
}
