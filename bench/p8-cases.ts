/** The calls that P8 compares: lists, filters, searches, tracking and the dashboard of the largest account. */
import type { BenchDatabase } from './database.ts'
import type { LargeAccount } from './growth.ts'

/** One call. `open`: without the account's token. */
export type Case = { what: string; path: string; body?: unknown; open?: true }

type Column = 'tracking_number' | 'reference' | 'name' | 'phone' | 'postcode' | 'order_id' | 'batch_id'

/** Values that exist in this database, so that searches and filters find something. */
type Sample = {
  parcel: Record<Column, string>
  trackingNumbers: string[]
  carrierNumber: string
  orderNumber: string
}

/** All calls for a database of `size` parcels, in the same order for every size. */
export async function getCases(database: BenchDatabase, account: LargeAccount, size: number): Promise<Case[]> {
  const sample = await findSample(database, account)
  return [
    ...filterCases(sample, account, size),
    ...searchCases(sample),
    ...trackingCases(sample),
    ...orderCases(sample),
    { what: 'dashboard', path: '/api/customer/dashboard' },
  ]
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const list = (what: string, query: Record<string, string>): Case => ({
  what: `parcels: ${what}`,
  path: `/api/customer/parcels?${new URLSearchParams(query)}`,
})
const orders = (what: string, query: Record<string, string>): Case => ({
  what: `orders: ${what}`,
  path: `/api/customer/orders?${new URLSearchParams(query)}`,
})

async function findSample(database: BenchDatabase, { accountId }: LargeAccount): Promise<Sample> {
  const [parcel] = await database.query<Record<Column, string>>(
    `select tracking_number, reference, receiver ->> 'contactName' as name, receiver ->> 'phone' as phone,
       receiver ->> 'postcode' as postcode, order_id, batch_id
     from parcels where account_id = $1 and tracking_number is not null and reference is not null
       and order_id is not null and batch_id is not null
     order by created_at desc offset 20 limit 1`,
    [accountId],
  )
  if (!parcel) throw new Error('no parcel to look for')
  const numbers = await database.query<{ tracking_number: string }>(
    `select tracking_number from parcels where account_id = $1 and tracking_number is not null
     order by created_at desc limit 30`,
    [accountId],
  )
  const [booking] = await database.query<{ carrier_number: string }>(
    'select carrier_number from carrier_bookings where account_id = $1 limit 1',
    [accountId],
  )
  const [order] = await database.query<{ number: string }>(
    'select number from orders where account_id = $1 order by created_at desc offset 20 limit 1',
    [accountId],
  )
  return {
    parcel,
    trackingNumbers: numbers.map(({ tracking_number }) => tracking_number),
    carrierNumber: booking?.carrier_number ?? '',
    orderNumber: order?.number ?? '',
  }
}

function filterCases({ parcel }: Sample, { members }: LargeAccount, size: number): Case[] {
  // The last page that the screen offers.
  const deep = String(Math.min(9_950, Math.max(0, Math.floor(size / 10) - 60)))
  return [
    list('first page', {}),
    list('last page offered', { offset: deep }),
    list('oldest first', { sort: '+createdAt' }),
    list('by change', { sort: '-updatedAt' }),
    list('by status', { sort: '+status' }),
    list('by receiver', { sort: '+receiverName' }),
    ...['draft', 'unpaid', 'to_hand_over', 'moving', 'delivered', 'problem', 'cancelled'].map((tab) =>
      list(`tab ${tab}`, { tab }),
    ),
    list('status completed', { status: 'completed' }),
    list('status fail-to-deliver', { status: 'fail-to-deliver' }),
    list('abroad', { scope: 'international' }),
    list('documents', { serviceType: 'document' }),
    list('mode P2P', { deliveryMode: 'P2P' }),
    list('carrier dhl', { carrier: 'dhl' }),
    list('carrier own', { carrier: 'own' }),
    list('method credit_card', { paymentMethod: 'credit_card' }),
    list('state', { state: 'Perlis' }),
    list('city', { city: 'Kuala Lumpur' }),
    list('postcode', { postcode: parcel.postcode }),
    list('a week long ago', { from: day(207), to: day(200) }),
    list('one member', { createdBy: members[1] ?? '' }),
    list('a batch', { batchId: parcel.batch_id }),
    list('an order', { orderId: parcel.order_id }),
    list('with COD', { withCod: 'true' }),
    list('unpaid', { unpaid: 'true' }),
    list('dhl + document', { carrier: 'dhl', serviceType: 'document' }),
    list('city + COD + days', { city: 'Ipoh', withCod: 'true', from: day(100), to: day(70) }),
    list('completed + dhl', { status: 'completed', carrier: 'dhl' }),
    list('moving + state', { tab: 'moving', state: 'Selangor' }),
    list('abroad + delivered + method', { scope: 'international', tab: 'delivered', paymentMethod: 'store' }),
    list('documents by receiver', { serviceType: 'document', sort: '+receiverName' }),
  ]
}

function searchCases({ parcel, carrierNumber }: Sample): Case[] {
  return [
    list('search number', { search: parcel.tracking_number }),
    list('search beginning of number', { search: parcel.tracking_number.slice(0, 9) }),
    list('search last digits', { search: parcel.tracking_number.slice(-6) }),
    list('search reference', { search: parcel.reference }),
    list('search name', { search: parcel.name }),
    list('search words of a name', { search: parcel.name.split(' ').slice(1).join(' ') }),
    list('search one word', { search: parcel.name.split(' ').at(-1) ?? '' }),
    list('search end of phone', { search: parcel.phone.slice(-6) }),
    list('search phone', { search: `0${parcel.phone.slice(3)}` }),
    list('search carrier number', { search: carrierNumber }),
    list('search postcode', { search: parcel.postcode }),
    list('search nothing there', { search: 'zzyzx quux' }),
  ]
}

function trackingCases({ parcel, trackingNumbers }: Sample): Case[] {
  return [
    { what: 'parcel by number', path: `/api/customer/parcels/trackno/${parcel.tracking_number}` },
    { what: 'tracks of 30', path: '/api/customer/parcels/tracks', body: { numbers: trackingNumbers } },
    {
      what: 'public tracking of one',
      path: '/api/public/parcels/tracking',
      body: { numbers: trackingNumbers.slice(0, 1) },
      open: true,
    },
    {
      what: 'public tracking of 30',
      path: '/api/public/parcels/tracking',
      body: { numbers: trackingNumbers },
      open: true,
    },
    { what: 'cart', path: '/api/customer/parcels/cart' },
    { what: 'cart counts', path: '/api/customer/parcels/cartCount' },
    { what: 'outstanding', path: '/api/customer/parcels/outstanding' },
  ]
}

function orderCases({ orderNumber }: Sample): Case[] {
  return [
    orders('first page', {}),
    orders('by number', { search: orderNumber }),
    orders('by total', { sort: '-totalMinor' }),
    orders('status + method', { status: 'completed', paymentMethod: 'store' }),
    orders('status', { status: 'completed' }),
    orders('method', { paymentMethod: 'store' }),
    orders('a month', { from: day(130), to: day(100) }),
  ]
}
