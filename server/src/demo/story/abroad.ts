/** International parcels of the demo. */
import type { Party } from '@waybill/contract/addresses/addresses'
import type { DeliveryMode } from '@waybill/contract/ground/enums/parcel-enums'
import { type Customs, customsTotal } from '@waybill/contract/parcels/customs'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import type { ParcelState } from '../../domains/parcels/status.ts'
import type { Goods } from './goods.ts'
import type { DemoAccountKey } from './logins.ts'
import { type Chance, createChance } from './random.ts'

/** International parcels of the plan, by their names: drafts, in the cart, and on their way to the airport. */
const leaving = new Set([
  'aisyah cart D2D 0',
  'weiming cart D2D 1',
  'priya draft P2D 0',
  'kinabalu draft D2D 1',
  'kinabalu draft D2D 2',
  'kinabalu draft D2D 3',
  'kinabalu draft D2D 4',
  // Cancelled before a carrier took it.
  'mishap 18 0',
])
/** Rare reasons for sending. */
const rareReasons: Readonly<Record<string, Customs['reason']>> = {
  'kinabalu draft D2D 2': 'sample',
  'kinabalu draft D2D 3': 'documents',
  'kinabalu draft D2D 4': 'other',
}

/** Of today's orders: those waiting for the rider or the counter. */
const leavingStatuses: ReadonlySet<string> = new Set(['pending_pickup', 'pending_dropoff'])
/**
 * The account and status of parcels on their way to the airport: at a station, before a foreign carrier takes over.
 */
const onItsWay = { account: 'weiming', target: 'inbound' } as const

/** The company's own rates are domestic only, so its drafts wait for a service. */
export function leavesCountry(account: DemoAccountKey, name: string, target: string | null): boolean {
  return (
    leaving.has(name) ||
    (account === onItsWay.account && target === onItsWay.target) ||
    (target !== null &&
      account !== 'kinabalu' &&
      leavingStatuses.has(target) &&
      createChance(`abroad ${name}`).happens(0.6))
  )
}

type Person = Omit<Party, 'email' | 'company' | 'remarks' | 'residential'> & { company?: string }

const people: readonly Person[] = [
  {
    contactName: 'Tan Wei Ling',
    phone: '+6581234567',
    line1: '10 Bayfront Avenue',
    line2: '#08-01',
    postcode: '018956',
    city: 'Singapore',
    state: 'Singapore',
    country: 'sg',
  },
  {
    contactName: '林志豪',
    phone: '+886912345678',
    line1: '信义路五段7号',
    line2: null,
    postcode: '110',
    city: '台北市',
    state: '台北市',
    country: 'tw',
  },
  {
    contactName: 'Cheung Ka Man',
    phone: '+85251234567',
    line1: 'Flat 12B, 88 Nathan Road',
    line2: 'Tsim Sha Tsui',
    postcode: '',
    city: 'Hong Kong',
    state: '',
    country: 'hk',
  },
  {
    contactName: 'Olivia Martin',
    company: 'Martin & Daughters',
    phone: '+61412345678',
    line1: '27 Collins Street',
    line2: null,
    postcode: '3000',
    city: 'Melbourne',
    state: 'VIC',
    country: 'au',
  },
  {
    contactName: 'James Carter',
    phone: '+14155552671',
    line1: '1 Market Street',
    line2: 'Suite 300',
    postcode: '94105',
    city: 'San Francisco',
    state: 'CA',
    country: 'us',
  },
  {
    contactName: 'Amelia Clarke',
    phone: '+447400123456',
    line1: '14 Rosebery Avenue',
    line2: null,
    postcode: 'EC1R 4TD',
    city: 'London',
    state: '',
    country: 'gb',
  },
]

type Ware = readonly [Goods['contentType'], Customs['reason'], Customs['items']]

const item = (
  description: string,
  hsCode: string,
  quantity: number,
  ringgit: number,
  grams: number,
  originCountry = 'my',
) => ({
  description,
  hsCode,
  quantity,
  unitValueMinor: ringgit * 100,
  netWeightGrams: grams,
  originCountry,
})

const wares: Record<DemoAccountKey, readonly Ware[]> = {
  aisyah: [
    [
      'clothing',
      'sale',
      [item('Baju kurung, cotton, women', '621149', 2, 145, 700), item('Tudung, polyester', '621410', 3, 25, 240)],
    ],
    ['gifts', 'gift', [item('Songket table runner', '630259', 1, 280, 450)]],
  ],
  weiming: [
    [
      'food',
      'gift',
      [
        item('安溪铁观音茶叶 Oolong tea', '090230', 2, 90, 500, 'cn'),
        item('紫砂壶 Clay teapot', '691200', 1, 320, 600, 'cn'),
      ],
    ],
    ['electronics', 'sale', [item('机械键盘 Mechanical keyboard, wired', '847160', 1, 420, 980, 'cn')]],
  ],
  priya: [
    [
      'clothing',
      'gift',
      [item('Silk saree', '620429', 1, 380, 620, 'in'), item('Brass bangle', '711719', 4, 18, 160, 'in')],
    ],
  ],
  kinabalu: [
    [
      'food',
      'sale',
      [
        item('Tenom coffee, roasted, 250 g packs', '090121', 4, 22, 1000),
        item('Sabah tea, 100 g boxes', '090240', 3, 14, 300),
      ],
    ],
    ['others', 'sample', [item('Batik samples, cotton', '520852', 6, 12, 480)]],
    ['spare_parts', 'returned_goods', [item('Outboard motor propeller', '841290', 1, 640, 1900, 'jp')]],
  ],
}

/** The contents of an international parcel, and its receiver abroad. */
export function packAbroad(
  account: DemoAccountKey,
  name: string,
  chance: Chance,
): { receiver: Party; goods: Goods; customs: Customs } {
  const { company = null, ...person } = chance.pick(people)
  const [contentType, usualReason, items] = chance.pick(wares[account])
  const reason = rareReasons[name] ?? usualReason
  const customs: Customs = {
    reason,
    reasonText: reason === 'other' ? 'Exhibits of a trade fair, to be returned' : null,
    items: [...items],
    comments: null,
    invoiceNumber: reason === 'sale' ? `INV-${chance.whole(2000, 9999)}` : null,
    licenceNumber: null,
    certificateNumber: null,
  }
  const net = items.reduce((sum, { netWeightGrams }) => sum + (netWeightGrams ?? 0), 0)
  return {
    receiver: { ...person, company, email: null, residential: company === null, remarks: null },
    goods: {
      // The economy service serves only Asia.
      serviceType: ['au', 'us', 'gb'].includes(person.country) ? 'semi_express' : 'e_parcel',
      contentType,
      description: items[0]?.description ?? '',
      weightGrams: Math.ceil((net + 180) / 10) * 10,
      dimensions: { lengthMm: 300, widthMm: 220, heightMm: 90 },
      valueMinor: customsTotal(customs),
    },
    customs,
  }
}

const onTheWay: ReadonlySet<string> = new Set([
  'pending',
  'incart',
  'pending_pickup',
  'pending_dropoff',
  'inbound',
  'sorting',
  'outbound',
  'delivering',
])

type ParcelSale = {
  name: string
  account: { key: DemoAccountKey }
  goods: Goods | null
  state: ParcelState
  mode: DeliveryMode
  customs: Customs | null
}

/** The COD amount that the receiver pays or has paid; none abroad or at a station. */
export function codAmount({ name, account, goods, state, mode, customs }: ParcelSale): number | null {
  const sells = account.key === 'aisyah' || account.key === 'kinabalu'
  const fits = sells && goods?.serviceType === 'e_parcel' && !endsAtStation(mode) && !customs
  if (!fits || state.leg === 'return') return null
  if (state.status === 'completed') return createChance(`collected ${name}`).happens(0.3) ? goods.valueMinor : null
  if (!onTheWay.has(state.status)) return null
  return createChance(`collects ${name}`).happens(0.25) ? goods.valueMinor : null
}
