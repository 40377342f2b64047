// The statuses of a bag. Pure.
import type { BagStatus } from '@waybill/contract/parcels/transport/bags'

export type BagEvent = 'sealed' | 'opened' | 'departed' | 'arrived' | 'emptied'

/** All transitions of a bag; anything else is a 409 that names the current status. */
export const bagTransitions: readonly { event: BagEvent; from: readonly BagStatus[]; to: BagStatus }[] = [
  { event: 'sealed', from: ['open'], to: 'sealed' },
  { event: 'opened', from: ['sealed'], to: 'open' },
  // At a station on its way, a bag goes on without being opened.
  { event: 'departed', from: ['sealed', 'at_station'], to: 'in_transit' },
  { event: 'arrived', from: ['in_transit'], to: 'at_station' },
  // On the way: its seal was broken on arrival, so its parcels are unloaded one by one.
  { event: 'emptied', from: ['open', 'sealed', 'at_station', 'in_transit'], to: 'emptied' },
]

/** The status after an event; null if there is no such transition. */
export function nextBagStatus(status: BagStatus, event: BagEvent): BagStatus | null {
  return bagTransitions.find((line) => line.event === event && line.from.includes(status))?.to ?? null
}
