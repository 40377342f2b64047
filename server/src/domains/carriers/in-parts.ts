// Calls of a carrier about many parcels, in which one parcel that it refuses must not stop all others.
import { CarrierError, isAboutItem } from './wire.ts'

/**
 * Calls a carrier about each number, one after the other. Numbers that it refuses, or answers nonsense about, have no
 * entry. If it goes down, the results so far are returned. Throws CarrierError if it never gave a proper response. A
 * refusal of the only number counts as one.
 */
export async function callForEach<R>(
  numbers: readonly string[],
  call: (number: string) => Promise<R | null>,
): Promise<Map<string, R>> {
  const results = new Map<string, R>()
  let isUp = false
  let failure: CarrierError | null = null
  for (const number of numbers) {
    try {
      const result = await call(number)
      if (result !== null) results.set(number, result)
      isUp = true
    } catch (error) {
      if (!(error instanceof CarrierError)) throw error
      if (error.problem === 'refused' && numbers.length === 1) isUp = true
      failure = error
      if (!isAboutItem(error)) break
    }
  }
  if (!isUp && failure !== null) throw failure
  return results
}

/** The maximum number of calls that find refused items, while the carrier has refused every part and afterwards. */
const mostCalls = { withoutResult: 24, withResults: 64 }

/**
 * Calls a carrier with all items. If it refuses them, or its response makes no sense, each half is tried, down to
 * single items. Returns the results without those of refused items, and of parts that were left after too many calls.
 * If the carrier goes down, the results so far are returned. Throws CarrierError if there are none.
 */
export async function callInParts<T, R>(items: readonly T[], call: (part: readonly T[]) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let calls = 0
  let outage = null as CarrierError | null
  const mayCall = () => !outage && calls < (results.length > 0 ? mostCalls.withResults : mostCalls.withoutResult)
  const callOrHalve = async (part: readonly T[]): Promise<void> => {
    if (!mayCall()) return
    calls += 1
    try {
      results.push(await call(part))
    } catch (error) {
      if (!(error instanceof CarrierError) || items.length === 1) throw error
      if (!isAboutItem(error)) {
        outage = error
        return
      }
      if (part.length === 1) return
      const middle = Math.ceil(part.length / 2)
      await callOrHalve(part.slice(0, middle))
      await callOrHalve(part.slice(middle))
    }
  }
  await callOrHalve(items)
  if (results.length === 0) throw outage ?? new CarrierError('refused', 'all of them')
  return results
}
