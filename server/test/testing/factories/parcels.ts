import type { Party } from '@waybill/contract/addresses/addresses'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { DeliveryMode, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { createParcel as createParcelCall } from '@waybill/contract/parcels/parcels'
import { sql } from 'kysely'
import { nextTrackingSerials, type ParcelRow } from '../../../src/domains/parcels/queries.ts'
import {
  allowedEvents,
  nextParcelState,
  type ParcelEvent,
  type ParcelState,
} from '../../../src/domains/parcels/status.ts'
import { makeTrackingNumber } from '../../../src/domains/parcels/tracking-number.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { TestApp } from '../app.ts'

type ParcelBody = BodyIn<typeof createParcelCall>

/** A complete parcel as a customer sends it. */
export function parcelBody(overrides: Partial<ParcelBody> = {}): ParcelBody {
  return {
    serviceType: 'e_parcel',
    deliveryMode: 'D2D',
    sender: testParty(),
    receiver: testReceiver(),
    contentType: 'clothing',
    weightGrams: 1200,
    dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
    ...overrides,
  }
}

/** Complete parties with distinctive words, so that tests can check that a response does not contain them. */
export function testParty(overrides: Partial<Party> = {}): Party {
  return {
    contactName: 'Tan Mei Ling',
    company: null,
    phone: '+60123456789',
    email: 'meiling@example.test',
    line1: '12 Jalan Telawi',
    line2: 'Bangsar Baru',
    postcode: '59100',
    city: 'Kuala Lumpur',
    state: 'Kuala Lumpur',
    country: 'my',
    residential: true,
    remarks: null,
    ...overrides,
  }
}

export function testReceiver(overrides: Partial<Party> = {}): Party {
  return testParty({
    contactName: 'Ahmad bin Ismail',
    phone: '+60198765432',
    email: 'ahmad@example.test',
    line1: '7 Lebuh Pantai',
    line2: null,
    postcode: '10300',
    city: 'George Town',
    state: 'Pulau Pinang',
    ...overrides,
  })
}

/** Columns that replace the default ones of `createParcel`. */
export type ParcelDefaults = Partial<Omit<ParcelRow, 'account_id' | 'id' | 'status' | 'delivery_mode'>> & {
  status?: ParcelStatus
  delivery_mode?: DeliveryMode | null
}

/** The shortest sequence of events from a new draft to a status, with the state after each. */
function journeyTo(status: ParcelStatus, start: ParcelState): { event: ParcelEvent; state: ParcelState }[] {
  const open: { state: ParcelState; way: { event: ParcelEvent; state: ParcelState }[] }[] = [{ state: start, way: [] }]
  const visited = new Set<string>()
  for (let next = open.shift(); next; next = open.shift()) {
    if (next.state.status === status) return next.way
    const key = JSON.stringify(next.state)
    if (visited.has(key)) continue
    visited.add(key)
    for (const event of allowedEvents(next.state)) {
      const state = nextParcelState(next.state, event)
      if (state) open.push({ state, way: [...next.way, { event, state }] })
    }
  }
  throw new Error(`a ${start.deliveryMode} parcel never gets to ${status}`)
}

/** The holder of a parcel in a status, according to the transition table. */
function holderIn(status: ParcelStatus, handedOver: boolean): ParcelRow['holder'] {
  if (!handedOver || ['completed', 'collected', 'reverse_pickup'].includes(status)) return 'customer'
  if (status === 'delivering' || status === 'fail-to-deliver') return 'rider'
  return status === 'outbound' || status === 'lost' ? 'carrier' : 'station'
}

const minute = 60_000

/**
 * A complete, priced parcel of a customer in any status, with the timeline that leads there. Its events are a minute
 * apart, and the last one is now. It has a tracking number in all statuses after the checkout.
 */
export async function createParcel(
  test: TestApp,
  owner: { accountId: string; userId: string },
  overrides: ParcelDefaults = {},
): Promise<ParcelRow> {
  const { db } = test.deps
  const { status = 'pending', delivery_mode = 'D2D', ...columns } = overrides
  const id = newId()
  const way = journeyTo(status, { status: 'pending', deliveryMode: delivery_mode, handedOver: false, leg: 'outbound' })
  const end = way.at(-1)?.state
  const last = overrides.last_event_at ?? test.clock.now()
  const start = overrides.created_at ?? new Date(last.getTime() - way.length * minute)
  const numbered = way.some(({ state }) =>
    ['pending_pickup', 'pending_dropoff', 'outstanding', 'inbound'].includes(state.status),
  )
  const [serial = 0] = numbered ? await nextTrackingSerials(db, 1) : []
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const { sender = testParty(), receiver = testReceiver(), price = null, ...plain } = columns
  await db
    .insertInto('parcels')
    .values({
      account_id: owner.accountId,
      id,
      created_by: owner.userId,
      tracking_number: numbered ? makeTrackingNumber(test.deps.settings.get('tracking.prefix'), serial) : null,
      scope: 'domestic',
      service_type: 'e_parcel',
      delivery_mode,
      carrier: 'own',
      content_type: 'clothing',
      weight_grams: 1200,
      length_mm: 300,
      width_mm: 200,
      height_mm: 100,
      volumetric_grams: 1200,
      chargeable_grams: 1500,
      currency: 'MYR',
      status,
      leg: end?.leg ?? 'outbound',
      handed_over: end?.handedOver ?? false,
      holder: holderIn(status, end?.handedOver ?? false),
      ...plain,
      sender: json(sender),
      receiver: json(receiver),
      price: json(price),
      created_at: start,
      updated_at: last,
      last_event_at: last,
    })
    .execute()
  let from: ParcelStatus | null = null
  const steps = [{ event: 'created', status: 'pending' as ParcelStatus, leg: 'outbound' }].concat(
    way.map(({ event, state }) => ({ event, status: state.status, leg: state.leg })),
  )
  const events = steps.map((step, n) => {
    const event = {
      account_id: owner.accountId,
      parcel_id: id,
      id: newId(),
      at: n === steps.length - 1 ? last : new Date(start.getTime() + n * minute),
      event: step.event,
      from_status: from,
      status: step.status,
      leg: step.leg,
      place: step.status === 'pending' ? null : 'Kuala Lumpur',
      actor_id: owner.userId,
    }
    from = step.status
    return event
  })
  await db.insertInto('tracking_events').values(events).execute()
  const { rows } = await sql<ParcelRow>`select * from parcels where id = ${id}::uuid`.execute(db)
  return rows[0] as ParcelRow
}

/** Gives a parcel a carrier's number. The booking is cancelled, and its label is still on the parcel. */
export async function labelByCarrier(
  test: TestApp,
  owner: { accountId: string },
  parcel: { id: string; number: string },
  carrier: 'dhl' | 'yunda',
  carrierNumber: string,
): Promise<void> {
  await sql`
    insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, state, carrier_number)
    values (${owner.accountId}::uuid, ${parcel.id}::uuid, ${carrier}, ${parcel.number}, 'cancelled', ${carrierNumber})
  `.execute(test.deps.db)
}
