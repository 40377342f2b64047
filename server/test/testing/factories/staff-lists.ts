import { sendMessage } from '@waybill/contract/chat/chat'
import { contestWeighing } from '@waybill/contract/parcels/weighing'
import { openDrawer } from '@waybill/contract/payments/cash-desk'
import { handInCash } from '@waybill/contract/payments/cash-hand-ins'
import { sql } from 'kysely'
import { newId } from '../../../src/lib/ids.ts'
import type { TestApp } from '../app.ts'
import type { Company } from '../foreign-objects.ts'
import { makers } from '../foreign-objects.ts'
import { createStaff, type TestStaff } from './accounts.ts'
import { collectCod, createCodPeople } from './cod.ts'
import { handedOver, undelivered } from './handed-over.ts'
import { buildTripCalls, createAtStation, loadNewTrip } from './trips.ts'

/** Adds a row to each staff list, some of them with `text`. Returns a clerk of the station. */
export async function addStaffRows(
  test: TestApp,
  company: Company,
  { stationId, text }: { stationId: string; text: string },
): Promise<TestStaff> {
  const { db } = test.deps
  const clerk = await createStaff(test, { stationId })
  const { token } = clerk
  const { rider } = await createCodPeople(test, stationId)
  await test.call(openDrawer, { token, body: { drawerNumber: 1, floatMinor: 10_000, currency: 'MYR' } })
  await collectCod(test, company, { amountMinor: 3000, rider, stationId })
  const count = { drawerNumber: 1, expectedMinor: 3000, counted: { sumMinor: 3000 }, currency: 'MYR' }
  const handIn = await test.call(handInCash, { token, body: { riderId: rider.userId, ...count } })
  if (handIn.status !== 200) throw new Error(`no hand-in: ${JSON.stringify(handIn.error)}`)
  for (const { userId } of [clerk, rider]) await sql`update users set name = ${text} where id = ${userId}`.execute(db)
  await undelivered(test, company, clerk)
  await handedOver(test, company, clerk)
  await makers.payout(test, company)
  const note = await makers.creditNote(test, company)
  await sql`
    update refunds set destination = 'card', status = 'requested'
    where id = (select refund_id from credit_notes where id = ${note.id}::uuid)`.execute(db)
  const payment = await makers.payment(test, company)
  await sql`
    insert into gateway_messages (id, payment_id, source, accepted, reason, payload, at, trouble)
    values (${newId()}::uuid, ${payment.id}::uuid, 'backend', false, 'amount', '{}', now(), 'refused')`.execute(db)
  await sql`
    insert into trial_balances (day, checked_at, lines, problems) values ('2026-01-01', now(),
      '[{"kind":"bank","currency":"MYR","debitMinor":500,"creditMinor":0}]', '[]')`.execute(db)
  const parcel = await makers.parcel(test, company)
  await sql`
    insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, carrier_number)
    select account_id, id, 'dhl', 'WB-BOOKED', ${text} from parcels where id = ${parcel.id}::uuid`.execute(db)
  const ticket = await makers.ticket(test, company)
  const message = await test.call(sendMessage, { token: company.token, body: { threadId: ticket.id, text } })
  const weighed = await makers.weighed(test, company)
  const contested = await test.call(contestWeighing, {
    token: company.token,
    params: { id: weighed.id },
    body: { reason: text },
  })
  if (message.status !== 200 || contested.status !== 200) throw new Error('no message or no dispute')
  await sql`
    insert into outbox_failed (id, topic, payload, created_at, attempts, last_error, failed_at)
    values (1, 'order.paid', '{}', now(), 9, ${text}, now())`.execute(db)
  const { id: toStationId } = await db
    .selectFrom('stations')
    .select('id')
    .where('id', '<>', stationId)
    .executeTakeFirstOrThrow()
  await loadNewTrip(test, clerk, toStationId, [])
  await loseOnTrip(test, company, clerk, { here: stationId, there: toStationId })
  await sql`update trips set driver_name = ${text}`.execute(db)
  await sql`update banners set title = jsonb_build_object('en', ${text}::text)`.execute(db)
  await sql`update holidays set name = ${text}`.execute(db)
  await sql`update stations set name = ${text} where id = ${stationId}::uuid`.execute(db)
  await sql`update zones set name = ${text}`.execute(db)
  await sql`update rate_cards set name = ${text}`.execute(db)
  return clerk
}

/** A parcel that is missing from a trip. */
async function loseOnTrip(
  test: TestApp,
  company: Company,
  clerk: TestStaff,
  { here, there }: { here: string; there: string },
): Promise<void> {
  const receiver = await createStaff(test, { stationId: there })
  const calls = buildTripCalls(test, { sender: clerk, receiver, there })
  const parcels = await createAtStation(test, company, here)
  const trip = await calls.sendOff(parcels.map(({ tracking_number }) => tracking_number ?? ''))
  await calls.arrive(trip)
  const closed = await calls.close(await calls.read(trip.id))
  if (closed.body?.missingCount !== 1) throw new Error('nothing is missing')
}
