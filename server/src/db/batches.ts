/**
 * The rows of a long read, fetched a batch at a time: memory holds one batch, no transaction or cursor stays open while
 * a slow reader takes them. `fetch` answers the rows after the last one it gave (null: from the beginning), in an order
 * that no two rows share; an empty answer ends it.
 */
export async function* inBatches<R>(fetch: (after: R | null) => Promise<readonly R[]>): AsyncGenerator<R> {
  // The next batch is asked for while this one is taken.
  let next = fetch(null)
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = fetch(last)
    // Where the reader goes away, or fails, nobody waits for it any more.
    next.catch(() => undefined)
    yield* rows
  }
}

/** Rows that one statement of a sweep deletes: few enough that no lock lasts. */
const SWEEP_SIZE = 1000

/** Deletes in small steps until nothing is left. `remove` deletes at most `limit` rows and returns how many. */
export async function deleteInBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(SWEEP_SIZE)) === SWEEP_SIZE);
}
