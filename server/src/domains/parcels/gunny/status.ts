// The statuses of a gunny. Pure.
import type { GunnyCheckEvent, GunnyStatus } from '@waybill/contract/parcels/gunny'
import type { ParcelEvent } from '../status.ts'

/** The counts at stations, the unpacking, and the sender dissolving the gunny. */
export type GunnyEvent = GunnyCheckEvent | 'emptied' | 'dissolved'

/** All transitions of a gunny; anything else is a 409 that names the current status. */
export const gunnyTransitions: readonly { event: GunnyEvent; from: GunnyStatus; to: GunnyStatus }[] = [
  { event: 'received', from: 'open', to: 'at_station' },
  { event: 'dissolved', from: 'open', to: 'dissolved' },
  { event: 'departed', from: 'at_station', to: 'in_transit' },
  { event: 'arrived', from: 'in_transit', to: 'at_station' },
  { event: 'emptied', from: 'at_station', to: 'closed' },
]

/** The event of the parcels' transition table for each count. */
export const parcelEventByCheck = {
  received: 'accepted',
  departed: 'departed',
  arrived: 'arrived',
} as const satisfies Record<GunnyCheckEvent, ParcelEvent>

/** The status after an event; null if there is no such transition. */
export function nextGunnyStatus(status: GunnyStatus, event: GunnyEvent): GunnyStatus | null {
  return gunnyTransitions.find((line) => line.from === status && line.event === event)?.to ?? null
}

/** The next count of a gunny in this status; null if there is none. */
export function nextGunnyCheck(status: GunnyStatus): GunnyCheckEvent | null {
  const line = gunnyTransitions.find(({ from, event }) => from === status && event in parcelEventByCheck)
  return (line?.event as GunnyCheckEvent | undefined) ?? null
}
