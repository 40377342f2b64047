/**
 * The demo's data: people, address books, ninety days of parcels, orders and money, as if the services had written
 * them.
 */
import { sql } from 'kysely'
import { type Tx, tx, withoutTimeLimit } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { hashPassword } from '../domains/accounts/sign-in/passwords.ts'
import { lookupPostcode } from '../domains/stations/postcodes.ts'
import { newPin } from '../domains/wallet/service.ts'
import { asAccountId } from '../http/caller.ts'
import { addJob } from '../jobs/jobs.ts'
import { days, later } from '../lib/clock.ts'
import { isEmpty } from './empty.ts'
import { approvalRows } from './money/approvals.ts'
import { receiptsOf, seedStatements } from './money/billing.ts'
import { seedCash, seedTrialBalances, tellCash } from './money/cash.ts'
import { seedGatewayAnswers } from './money/gateway.ts'
import { book } from './money/ledger.ts'
import { bookMoney, differencesOf } from './money/money.ts'
import { invoiceRows, numberOrders, orderRow, paymentRows, pickUpRow } from './money/order-rows.ts'
import { settle } from './money/orders.ts'
import { askPrices } from './money/prices.ts'
import { refundRows } from './money/refunds.ts'
import { seedNetwork } from './network/network.ts'
import { seedAfterHandOver } from './rows/after-hand-over.ts'
import { carrierBookings } from './rows/carrier-bookings.ts'
import { companySettings, sellerOf } from './rows/company.ts'
import { seedGunnies } from './rows/gunnies.ts'
import { insertRows } from './rows/insert-rows.ts'
import { eventRows, nearestOperator, numberParcels, parcelMoney, parcelRow, proofRow } from './rows/parcels.ts'
import { seedReturns, seedTasks } from './rows/tasks.ts'
import { addressBooks, type PlaceOf } from './story/books.ts'
import { seedBulk } from './story/bulk.ts'
import { demoPassword, demoPin } from './story/logins.ts'
import { loadMap } from './story/map.ts'
import { demoAccounts, peopleRows } from './story/people.ts'
import { historyDays, planDemo } from './story/plan.ts'
import { tellLoose, tellOrder } from './story/story.ts'

/**
 * Fills an empty demo database, once; answers whether it did. The same moment gives the same data, all of it in the
 * past of that moment. Every parcel's history is walked on the transition table, every price asked of the pricing
 * service, every sum booked through the ledger's triggers.
 */
export async function seedDemo(deps: Deps): Promise<boolean> {
  if (!deps.config.demo || deps.config.env === 'production' || !(await isEmpty(deps.db))) return false
  // Committed by itself: prices are asked of it over other connections.
  await seedNetwork(deps.db)
  const rows = await demoRows(deps)
  const filled = await tx(deps.db, async (trx) => {
    // Of two processes that start together, one finds it done.
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(trx)
    if (!(await isEmpty(trx))) return false
    await write(deps, trx, rows)
    return true
  })
  await deps.settings.reload()
  // Lists and searches are planned by what is there now.
  await sql`analyze`.execute(deps.db)
  return filled
}

type DemoRows = Awaited<ReturnType<typeof demoRows>>

/** Everything that is to be written, worked out before anything is. */
async function demoRows(deps: Deps) {
  const now = wholeSecond(deps.clock.now())
  const currency = deps.settings.get('currency')
  const [passwordHash, map] = await Promise.all([hashPassword(demoPassword), loadMap(deps.db)])
  const people = peopleRows(now, passwordHash, map.stops)
  const { books, rows: addresses } = addressBooks(now, placeOf)
  const plan = planDemo()
  const world = { now, map, books }
  const stories = plan.orders.map((order) => tellOrder(world, order))
  const loose = plan.loose.map((parcel) => tellLoose(world, parcel))
  const parcels = [...stories.flatMap((story) => story.parcels), ...loose]
  const prices = await askPrices(deps, stories, loose)
  const settled = stories.map((story) => settle(story, prices))
  const orderOf = new Map(settled.flatMap((order) => order.story.parcels.map(({ id }) => [id, order] as const)))
  const numbers = numberOrders(settled)
  const tracking = numberParcels(parcels, deps.settings.get('tracking.prefix'))
  const money = bookMoney(settled, differencesOf(settled, prices), numbers, currency)
  const company = demoAccounts.find(({ key }) => key === 'kinabalu')
  const receipts = company && receiptsOf(money.bookings, company, { now, currency, recordedBy: people.superadmin })
  const operatorAt = nearestOperator(people.operators, map.stops)
  return {
    now,
    shopSender: books.get('aisyah')?.sender ?? null,
    accounts: people.accounts,
    users: people.users,
    settings: companySettings(people.superadmin, people.since),
    addresses,
    parcels: parcels.map((parcel) =>
      parcelRow(
        parcel,
        tracking.numbers.get(parcel.id) ?? null,
        parcelMoney(parcel, orderOf.get(parcel.id), prices),
        currency,
        operatorAt,
      ),
    ),
    events: parcels.flatMap((parcel) => {
      const payer = orderOf.get(parcel.id)?.story.orderedBy ?? parcel.createdBy
      return eventRows(parcel, payer, operatorAt)
    }),
    proofs: parcels.flatMap((parcel) => proofRow(parcel, operatorAt) ?? []),
    orders: settled.map((order) => orderRow(order, numbers, currency)),
    pickUps: settled.flatMap((order) => pickUpRow(order, numbers, now) ?? []),
    payments: paymentRows(settled, money.topUps, currency),
    ...invoiceRows(settled, sellerOf(deps.settings), currency),
    ...refundRows(settled, prices, sellerOf(deps.settings), currency, people.superadmin),
    ...approvalRows(settled, numbers),
    company,
    receipts: receipts?.rows ?? [],
    bookings: [...money.bookings, ...(receipts?.bookings ?? [])],
    serials: { tracking: tracking.serials, order: numbers.orders.size, pickup: numbers.pickUps.size },
  }
}

const wholeSecond = (at: Date) => new Date(Math.floor(at.getTime() / 1000) * 1000)

/** Town and state of a postcode, as forms are filled with them. */
const placeOf: PlaceOf = (postcode) => {
  const found = lookupPostcode(postcode, 'my')
  const [city] = found?.cities ?? []
  if (!found || !city) throw new Error(`there is no postcode ${postcode}`)
  return { city, state: found.state }
}

async function write(deps: Deps, trx: Tx, rows: DemoRows): Promise<void> {
  await withoutTimeLimit(trx)
  await insertRows(trx, 'accounts', rows.accounts)
  await insertRows(trx, 'users', rows.users)
  await insertRows(trx, 'settings', rows.settings)
  await insertRows(trx, 'addresses', rows.addresses)
  await insertRows(
    trx,
    'wallet_pins',
    demoAccounts.map(({ id, owner }) => newPin(deps, { accountId: asAccountId(id), userId: owner.id }, demoPin)),
  )
  await ensureMonths(trx, rows.now)
  await insertRows(trx, 'parcels', rows.parcels)
  const atCarriers = carrierBookings(rows.parcels, rows.now)
  await insertRows(trx, 'carrier_bookings', atCarriers.bookings)
  await insertRows(trx, 'carrier_labels', atCarriers.labels)
  await insertRows(trx, 'tracking_events', rows.events)
  const cash = tellCash({ ...rows, currency: deps.settings.get('currency') })
  await insertRows(trx, 'parcel_proofs', cash.proofs)
  const weigher = rows.users.find(({ staff_type }) => staff_type === 'staff')
  if (weigher) await seedAfterHandOver(deps, trx, String(weigher.id), rows.now)
  await insertRows(trx, 'orders', rows.orders)
  await insertRows(trx, 'pickup_requests', rows.pickUps)
  await insertRows(trx, 'payments', rows.payments)
  await seedGatewayAnswers(trx)
  await insertRows(trx, 'document_counters', [...rows.counters, ...rows.creditNoteCounters])
  await insertRows(trx, 'invoices', rows.invoices)
  await insertRows(trx, 'refunds', rows.refunds)
  await insertRows(trx, 'refunded_parcels', rows.refundedParcels)
  await insertRows(trx, 'credit_notes', rows.creditNotes)
  await insertRows(trx, 'order_approvals', rows.approvals)
  await insertRows(trx, 'activity_log', rows.actions)
  await insertRows(trx, 'corporate_receipts', rows.receipts)
  await book(trx, [...rows.bookings, ...cash.bookings])
  await seedCash(trx, cash)
  await seedTrialBalances(trx, rows.now, deps.settings.get('timezone'))
  const { settings } = deps
  const billed = { now: rows.now, currency: settings.get('currency'), timeZone: settings.get('timezone') }
  if (rows.company) await seedStatements(trx, rows.bookings, rows.company, billed)
  const sacksOf = demoAccounts.find(({ key }) => key === 'aisyah')
  if (sacksOf) await seedBulk(trx, { id: sacksOf.id, userId: sacksOf.owner.id, sender: rows.shopSender }, rows.now)
  if (sacksOf) await seedGunnies(trx, sacksOf.id, deps.settings.get('gunny.companyPrefix'), rows.now)
  // As every payment at the gateway has: the job that ends it when its time is over.
  for (const { id, status, expires_at: runAt } of rows.payments)
    if (status === 'pending' && runAt)
      await addJob(trx, 'payments:expire', { paymentId: id }, { runAt: new Date(runAt) })
  await seedTasks(trx)
  await sql`select setval('tracking_serial', ${rows.serials.tracking}), setval('order_serial', ${rows.serials.order}),
    setval('pickup_serial', ${rows.serials.pickup})`.execute(trx)
  await seedReturns(trx, rows.now)
}

/**
 * Partitions for the months of the history: events in the default one would keep those months from ever getting theirs.
 */
async function ensureMonths(trx: Tx, now: Date): Promise<void> {
  await sql`select tracking_events_ensure_month(month::date) from generate_series(
    date_trunc('month', ${later(now, -days(historyDays + 10))}::timestamptz), ${later(now, days(31))}::timestamptz, interval '1 month') as month`.execute(
    trx,
  )
}
