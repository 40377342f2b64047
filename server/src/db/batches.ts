/** Long reads and long deletes in small steps. */
/**
 * Reads rows in batches, so that memory holds one batch and no transaction or cursor stays open for a slow reader.
 * `fetch` returns the rows after the last one (null: from the beginning), in a unique order. An empty batch ends the
 * iteration.
 */
export async function* inBatches<R>(fetch: (after: R | null) => Promise<readonly R[]>): AsyncGenerator<R> {
  for await (const rows of readBatches(fetch)) yield* rows
}

/** Like `inBatches`, but yields whole batches: for many rows, where a promise per row would be expensive. */
export async function* readBatches<R>(fetch: (after: R | null) => Promise<readonly R[]>): AsyncGenerator<readonly R[]> {
  // The next batch is read while the reader consumes this one.
  let next = fetch(null)
  for (;;) {
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) return
    next = fetch(last)
    // Nobody awaits this batch if the reader stops early or fails.
    next.catch(() => undefined)
    yield rows
  }
}

/** Rows per statement of a cleanup: few enough that no lock is held long. */
const SWEEP_SIZE = 1000

/** Deletes in small steps until nothing is left. `remove` deletes at most `limit` rows and returns how many. */
export async function deleteInBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(SWEEP_SIZE)) === SWEEP_SIZE);
}
