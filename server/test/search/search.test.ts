import { staffRoleLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { createGunny } from '@waybill/contract/parcels/gunny'
import { type SearchHit, searchAll, searchAllForStaff } from '@waybill/contract/search/search'
import { beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { addAddress } from '../testing/factories/addresses.ts'
import { findCounterAndHub } from '../testing/factories/gunnies.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { orderNow, payAtGateway, payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createPlainTicket } from '../testing/factories/tickets.ts'
import { fillNewBag, loadNewTrip } from '../testing/factories/trips.ts'
import { createPayer } from '../testing/factories/wallet.ts'
import { type BankPeer, startBankPeer } from '../testing/peers/bank.ts'

let test: TestApp
let company: TestCustomer
let orderId: string
let ticketId: string
/** The numbers of the company's records by kind. */
let numbers: Record<'order' | 'invoice' | 'parcel' | 'pickup' | 'ticket' | 'gunny' | 'refunded', string>

beforeAll(async () => {
  const bank = await startBankPeer()
  test = await buildTestApp(bank.environment)
  await seedTestNetwork(test)
  company = await createPayer(test, { userType: 'corporate', name: 'Kopi Kenangan Trading' })
  const order = await placeOrder(test, company, { mode: 'D2D' })
  orderId = order.id
  expect((await payCredits(test, company, order)).status).toBe(200)
  await addAddress(test, company, { contactName: 'Zainab Ramli', city: 'George Town' })
  const { number, invoiceNumber } = await orderNow(test, company, order)
  const [parcel] = await find(company.token, 'Ahmad')
  const { rows } = await test.deps.pool.query<{ number: string }>('select number from pickup_requests')
  const ticket = await createPlainTicket(test, company, { title: 'The box arrived wet', aboutId: parcel?.id ?? null })
  ticketId = ticket.id
  const walkIn = await placeOrder(test, company)
  expect((await payCredits(test, company, walkIn)).status).toBe(200)
  const { parcels } = await orderNow(test, company, walkIn)
  const packed = { numbers: parcels.flatMap(({ trackingNumber }) => trackingNumber ?? []) }
  const gunny = await test.call(createGunny, { token: company.token, body: packed })
  numbers = {
    gunny: gunny.body.number,
    refunded: await refundToCard(bank),
    order: number,
    invoice: invoiceNumber ?? '',
    parcel: parcel?.title ?? '',
    pickup: rows[0]?.number ?? '',
    ticket: ticket.number,
  }
})

/** The number of another customer's order whose refund waits for staff. */
async function refundToCard(bank: BankPeer): Promise<string> {
  const customer = await createCustomer(test)
  const order = await placeOrder(test, customer)
  await bank.pay(test, (await payAtGateway(test, customer, order)).fields)
  const ids = order.parcels.map(({ id }) => id)
  expect((await test.call(cancelParcels, { token: customer.token, body: { ids, refundTo: 'card' } })).status).toBe(200)
  return order.number
}

async function find(token: string, q: string): Promise<SearchHit[]> {
  const answer = await test.call(searchAll, { token, query: { q } })
  expect(answer.status).toBe(200)
  return answer.body.items
}

const kinds = (hits: readonly SearchHit[]) => [...new Set(hits.map(({ kind }) => kind))]

it('finds a parcel by its number and by its receiver', async () => {
  expect(await find(company.token, numbers.parcel)).toMatchObject([
    { kind: 'parcel', title: numbers.parcel, detail: 'Ahmad bin Ismail · George Town' },
    { kind: 'ticket', id: ticketId },
  ])
  expect(kinds(await find(company.token, 'ahmad'))).toEqual(['parcel'])
})

it('finds an order by its number, and opens it by the number of its invoice', async () => {
  expect(await find(company.token, numbers.order)).toMatchObject([{ kind: 'order', id: orderId, title: numbers.order }])
  expect(await find(company.token, numbers.invoice)).toMatchObject([
    { kind: 'invoice', id: orderId, title: numbers.invoice, detail: numbers.order },
  ])
})

it('shows the day of an order in the time zone of the deployment', async () => {
  await test.deps.pool.query('update orders set created_at = $1 where id = $2', ['2026-03-09T17:00:00Z', orderId])
  expect(await find(company.token, numbers.order)).toMatchObject([{ kind: 'order', detail: '10 Mar 2026' }])
})

it('finds a pickup by its number', async () => {
  expect(await find(company.token, numbers.pickup)).toMatchObject([{ kind: 'pickup', title: numbers.pickup }])
})

it('finds a ticket by its number, by words of its title and by its parcel', async () => {
  const hit = { kind: 'ticket', id: ticketId, title: numbers.ticket, detail: 'The box arrived wet' }
  for (const q of [numbers.ticket, numbers.ticket.toLowerCase(), 'WET box', numbers.parcel]) {
    expect(await find(company.token, q)).toContainEqual(hit)
  }
  expect(await find(company.token, 'box dry')).toEqual([])
})

it('finds an address by a name and a station by its town, in one list', async () => {
  expect(await find(company.token, 'zainab')).toMatchObject([{ kind: 'address', title: 'Zainab Ramli' }])
  expect(kinds(await find(company.token, 'george town'))).toEqual(['parcel', 'address', 'station'])
})

it('finds nothing of another account', async () => {
  const { token } = await createCustomer(test)
  for (const q of [...Object.values(numbers), 'Ahmad', 'Zainab', 'arrived wet'])
    expect(await find(token, q)).toEqual([])
})

it("finds a colleague's parcels, orders and tickets only for members who may see them", async () => {
  const own = await createMember(test, company, ['parcels.create'])
  const all = await createMember(test, company, ['parcels.view_all'])
  expect(kinds(await find(own.token, numbers.parcel))).toEqual([])
  expect(kinds(await find(own.token, numbers.order))).toEqual([])
  expect(kinds(await find(own.token, numbers.ticket))).toEqual([])
  expect(kinds(await find(all.token, numbers.parcel))).toEqual(['parcel', 'ticket'])
})

it.each([
  ['one letter', 'a'],
  ['spaces', '   '],
  ['121 characters', 'x'.repeat(121)],
])('rejects %s and names the field', async (_, q) => {
  const { status, error } = await test.call(searchAll, { token: company.token, query: { q } })
  expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, ['q']])
})

it.each(["'; drop table parcels; --", '%%%%', '\\\\', '１２３', '订单', '0'.repeat(120)])(
  'returns an empty result for %s',
  async (q) => {
    expect(await find(company.token, q)).toEqual([])
  },
)

it('finds a gunny by its number, for its account and for staff at a station', async () => {
  expect(await find(company.token, numbers.gunny)).toMatchObject([{ kind: 'gunny', title: numbers.gunny }])
  const { token } = await createStaff(test, { type: 'staff', role: 'normal_staff' })
  const { items } = (await test.call(searchAllForStaff, { token, query: { q: numbers.gunny } })).body
  expect(items).toMatchObject([{ kind: 'gunny', title: numbers.gunny, detail: 'Kopi Kenangan Trading' }])
})

it('finds bags by their number, and trips by number, vehicle and driver', async () => {
  const { there, counter } = await findCounterAndHub(test)
  const bag = await fillNewBag(test, counter, there, [])
  const trip = await loadNewTrip(test, counter, there, [])
  const findForStaff = async (q: string) =>
    (await test.call(searchAllForStaff, { token: counter.token, query: { q } })).body.items
  expect(await findForStaff(bag.number)).toMatchObject([{ kind: 'bag', title: bag.number }])
  for (const q of [trip.number, 'VAA 1234', 'Ravi a/l']) {
    expect(await findForStaff(q), q).toMatchObject([{ kind: 'trip', id: trip.id, title: trip.number }])
  }
})

it("finds a pickup for its station's staff and for staff of no station, not for staff of another", async () => {
  const { rows } = await test.deps.pool.query<{ station_id: string; elsewhere: string }>(
    `select station_id, (select id from stations where id <> station_id order by code limit 1) as elsewhere
    from pickup_requests
    where number = $1`,
    [numbers.pickup],
  )
  const search = async (stationId: string | null, q: string) => {
    const { token } = await createStaff(test, stationId ? { stationId } : { type: 'admin' })
    return (await test.call(searchAllForStaff, { token, query: { q } })).body.items
  }
  const { station_id, elsewhere } = rows[0] ?? expect.unreachable('no pickup')
  const hit = {
    kind: 'pickup',
    title: numbers.pickup,
    detail: expect.stringMatching(/^Kopi Kenangan Trading · \d\d \w{3} 20\d\d$/),
  }
  const shortNumber = numbers.pickup.replace(/^PU-0+/, 'pu-')
  for (const q of [numbers.pickup, shortNumber]) {
    expect(await search(station_id, q)).toMatchObject([hit])
    expect(await search(null, q)).toMatchObject([hit])
    expect(await search(elsewhere, q)).toEqual([])
  }
})

it("finds a booking at another carrier by the carrier's number or ours, for staff who handle parcels", async () => {
  const parcel = await createParcel(test, company, { status: 'outbound' })
  await test.deps.pool.query(
    `insert into carrier_bookings (account_id, parcel_id, carrier, tracking_number, carrier_number)
    values ($1, $2, 'dhl', $3, 'DHLMY7788')`,
    [parcel.account_id, parcel.id, parcel.tracking_number],
  )
  const search = async (role: 'normal_staff' | 'account_manager', q: string) => {
    const { token } = await createStaff(test, { type: 'staff', role })
    return (await test.call(searchAllForStaff, { token, query: { q } })).body.items
  }
  const hit = { kind: 'carrier_booking', id: parcel.id, title: parcel.tracking_number, detail: 'DHLMY7788' }
  expect(await search('normal_staff', 'dhlmy 77')).toEqual([hit])
  expect(await search('normal_staff', parcel.tracking_number ?? '')).toContainEqual(hit)
  expect(await search('account_manager', 'DHLMY7788')).toEqual([])
})

it('shows staff what their role permits', async () => {
  const search = async (role: 'normal_staff' | 'account_manager' | 'admin', q: string) => {
    const { token } = await createStaff(test, { type: 'staff', role })
    return (await test.call(searchAllForStaff, { token, query: { q } })).body.items
  }
  expect(kinds(await search('normal_staff', numbers.parcel))).toEqual(['parcel'])
  expect(kinds(await search('normal_staff', 'Kopi Kenangan'))).toEqual([])
  expect(kinds(await search('account_manager', 'Kopi Kenangan'))).toEqual(['account'])
  expect(kinds(await search('account_manager', numbers.parcel))).toEqual(['parcel', 'ticket', 'account'])
  for (const number of [numbers.parcel, numbers.order]) {
    const hit = { kind: 'account', id: company.accountId, title: 'Kopi Kenangan Trading', detail: number }
    expect(await search('account_manager', number.toLowerCase())).toContainEqual(hit)
    expect(await search('normal_staff', number)).not.toContainEqual(hit)
  }
  expect(kinds(await search('account_manager', numbers.ticket))).toEqual(['ticket'])
  expect(kinds(await search('normal_staff', numbers.ticket))).toEqual([])
  expect(kinds(await search('normal_staff', 'George Town'))).toEqual([])
  expect(kinds(await search('admin', 'George Town'))).toEqual(['station'])
})

it('shows each role the users, refunds, rate cards and banners of its own lists', async () => {
  const colleague = await createStaff(test, { type: 'staff', role: 'admin' })
  const { rows: cards } = await test.deps.pool.query<{ name: string }>('select name from rate_cards limit 1')
  const { rows: banners } = await test.deps.pool.query<{ en: string }>(
    `select title ->> 'en' as en from banners limit 1`,
  )
  const words = {
    colleague: colleague.email,
    user: company.email,
    refund: numbers.refunded,
    rate_card: cards[0]?.name ?? '',
    banner: banners[0]?.en ?? '',
  }
  const rolesByKind: Record<string, string[]> = {}
  for (const role of labelValues(staffRoleLabels)) {
    const { token } = await createStaff(test, { type: 'staff', role })
    for (const [kind, q] of Object.entries(words)) {
      const { items } = (await test.call(searchAllForStaff, { token, query: { q } })).body
      if (items.some((hit) => hit.kind === kind)) rolesByKind[kind] = [...(rolesByKind[kind] ?? []), role]
    }
  }
  expect(rolesByKind).toEqual({
    colleague: ['admin', 'it_executive'],
    user: ['admin', 'it_executive'],
    refund: ['admin', 'account_manager'],
    rate_card: ['admin', 'product_manager'],
    banner: ['admin', 'e_marketing'],
  })
})
