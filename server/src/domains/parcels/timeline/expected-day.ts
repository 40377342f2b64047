// The day on which a parcel is expected: it counts from the handover, which may be later than the booking.
import type { Deps } from '../../../deps.ts'
import { dayIn } from '../../../lib/clock.ts'
import { expectedDayFrom } from '../../pricing/service.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import type { ParcelEvent } from '../status.ts'

type Stations = 'drop_off_station_id' | 'self_collection_station_id'
type Journey = Partial<
  Pick<ParcelRow, 'price' | 'sender' | 'receiver' | 'delivery_mode' | Stations | 'expected_date' | 'promised_date'>
>

const handovers: readonly ParcelEvent[] = ['picked_up', 'accepted']
const releases: readonly ParcelEvent[] = ['difference_paid', 'difference_waived']

/**
 * The columns of the expected day after an event at `at`; none if it changes nothing.
 *
 * - A handover: the day counts from it, and becomes the promised one.
 * - A parcel that was held for a weight difference until its day: the day counts from the release. The promise only
 *   stays if the difference was waived.
 */
export async function expectedDayAfter(
  deps: Deps,
  { price, sender, receiver, delivery_mode: deliveryMode, expected_date, promised_date, ...stations }: Journey,
  event: ParcelEvent,
  at: Date,
): Promise<ParcelChanges> {
  const released = releases.includes(event)
  if (!price || !sender || !receiver || !deliveryMode || !(handovers.includes(event) || released)) return {}
  if (released && (expected_date ?? '') > dayIn(at, deps.settings.get('timezone'))) return {}
  const route = {
    deliveryMode,
    sender,
    receiver,
    dropOffStationId: stations.drop_off_station_id ?? null,
    selfCollectionStationId: stations.self_collection_station_id ?? null,
  }
  const day = await expectedDayFrom(deps, price, route, at)
  if (day === null) return {}
  const promise = event === 'difference_waived' ? (promised_date ?? expected_date ?? null) : null
  return { expected_date: day, promised_date: promise }
}
