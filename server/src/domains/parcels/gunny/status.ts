import type { GunnyCheckEvent, GunnyStatus } from '@waybill/contract/parcels/gunny'
import type { ParcelEvent } from '../status.ts'

/** What happens to a sack: a station's counts, the unpacking, and its sender's change of mind. */
export type GunnyEvent = GunnyCheckEvent | 'emptied' | 'dissolved'

/** The life of a sack as data; anything else is a 409 that names the present status. */
export const gunnyTransitions: readonly { event: GunnyEvent; from: GunnyStatus; to: GunnyStatus }[] = [
  { event: 'received', from: 'open', to: 'at_station' },
  { event: 'dissolved', from: 'open', to: 'dissolved' },
  { event: 'departed', from: 'at_station', to: 'in_transit' },
  { event: 'arrived', from: 'in_transit', to: 'at_station' },
  { event: 'emptied', from: 'at_station', to: 'closed' },
]

/** What a count of the sack does to each parcel in it: an event of the parcels' own table. */
export const parcelEventOf = {
  received: 'accepted',
  departed: 'departed',
  arrived: 'arrived',
} as const satisfies Record<GunnyCheckEvent, ParcelEvent>

/** The status after an event; null when the table has no such transition. */
export function nextGunnyStatus(status: GunnyStatus, event: GunnyEvent): GunnyStatus | null {
  return gunnyTransitions.find((line) => line.from === status && line.event === event)?.to ?? null
}

/** The count that comes next; null where there is none. */
export function nextGunnyCheck(status: GunnyStatus): GunnyCheckEvent | null {
  const line = gunnyTransitions.find(({ from, event }) => from === status && event in parcelEventOf)
  return (line?.event as GunnyCheckEvent | undefined) ?? null
}
