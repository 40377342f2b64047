// Journeys of parcels for public tracking.

import type {
  DeliveryMode,
  Leg,
  ParcelStatus,
  ServiceType,
  TrackingStatus,
} from '@waybill/contract/ground/enums/parcel-enums'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { minuteIn } from '../../../lib/clock.ts'
import { loadNetwork } from '../../stations/network.ts'
import { isWithOtherCarrier } from '../carrier-handover/with-other-carrier.ts'
import { isAtLastStation } from '../custody/service.ts'
import { expectedDays } from '../rules.ts'
import { toTrackingStatus } from '../status.ts'
import { type JourneyReader, type JourneyRow, journeyReader } from './queries.ts'

/** A parcel for the public: no name, phone, street or money. Times in epoch milliseconds, the newest event first. */
export type Journey = {
  trackingNumber: string
  status: ParcelStatus
  trackingStatus: TrackingStatus
  handedOver: boolean
  leg: Leg
  serviceType: ServiceType | null
  deliveryMode: DeliveryMode | null
  originCity: string | null
  destinationCity: string | null
  expectedDate: string | null
  promisedDate: string | null
  /** The sender or the receiver chooses what happens after a failed delivery. */
  awaitsChoice: boolean
  /** It is at the station whose riders deliver it. */
  atLastStation: boolean
  /** The last day at the self-collection station. */
  collectUntil: string | null
  events: readonly { at: number; event: string; status: ParcelStatus; place: string | null }[]
  /** Its public view as JSON, once created: requests at the same moment share a journey. */
  publicText?: string
}

const readers = new WeakMap<Deps, JourneyReader<Journey>>()

function createReader(deps: Deps): JourneyReader<Journey> {
  let reader = readers.get(deps)
  if (!reader) {
    reader = journeyReader(deps.reads, (row) => toJourney(deps, row))
    readers.set(deps, reader)
  }
  return reader
}

const getToday = ({ clock, settings }: Deps) => minuteIn(clock.now(), settings.get('timezone')).day

/** The city of the station where the parcel is collected, or else of the receiver. */
async function findDestinationCity(deps: Deps, row: JourneyRow): Promise<string | null> {
  if (!endsAtStation(row.delivery_mode) || row.self_collection_station_id === null) return row.destination
  const { stationsById } = await loadNetwork(deps.db)
  return stationsById.get(row.self_collection_station_id)?.city ?? row.destination
}

const receiverPlace = ({ receiver_country: country, receiver_postcode: postcode }: JourneyRow) =>
  country === null || postcode === null ? null : { country, postcode }

const toJourney = async (deps: Deps, row: JourneyRow): Promise<Journey> => ({
  trackingNumber: row.tracking_number,
  status: row.status,
  trackingStatus: toTrackingStatus(row.status, row.handed_over),
  handedOver: row.handed_over,
  leg: row.leg,
  serviceType: row.service_type,
  deliveryMode: row.delivery_mode,
  originCity: row.origin,
  destinationCity: await findDestinationCity(deps, row),
  ...expectedDays(row, getToday(deps)),
  awaitsChoice:
    row.status === 'fail-to-deliver' && row.leg === 'outbound' && row.choice_made !== true && !isWithOtherCarrier(row),
  atLastStation: await isAtLastStation(deps.db, row, receiverPlace(row)),
  collectUntil: row.status === 'inbound' ? row.collect_until : null,
  events: row.events.map(([at, event, status, place]) => ({ at, event, status, place })),
})

/** The journey of a tracking number as a transaction sees it; null for an unknown number. */
export async function findJourneyIn(deps: Deps, trx: Tx, number: string): Promise<Journey | null> {
  const query = async (text: string, values: readonly unknown[]) =>
    (await trx.executeQuery(CompiledQuery.raw(text, [...values]))) as never
  const read = journeyReader({ query }, (row) => toJourney(deps, row))
  return (await read([number]))[0] ?? null
}

/** The journeys of tracking numbers, unordered; unknown numbers are omitted. */
export async function findJourneys(deps: Deps, numbers: readonly string[]): Promise<Journey[]> {
  return numbers.length === 0 ? [] : createReader(deps)(numbers)
}
