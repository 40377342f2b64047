// Shipments and faults for the tests of all carrier clients.
import { carrierReference, type Shipment } from '../../src/domains/carriers/rules.ts'
import { hours, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { testParty, testReceiver } from '../testing/factories/parcels.ts'
import type { Fault } from '../testing/peers/misbehaving.ts'

/** The system clock. */
export const clock = { now: () => new Date() }
/** How long a client waits for an answer. */
export const timeoutMs = 5000

/** A domestic shipment that every carrier accepts. */
export function shipment(overrides: Partial<Shipment> = {}): Shipment {
  return {
    reference: carrierReference(newId()),
    trackingNumber: 'WB12345678905',
    scope: 'domestic',
    serviceType: 'e_parcel',
    sender: testParty(),
    receiver: testReceiver(),
    contentDescription: 'Batik shirts',
    weightGrams: 1250,
    dimensions: { lengthMm: 300, widthMm: 201, heightMm: 100 },
    declaredValueMinor: 12_000,
    codAmountMinor: null,
    currency: 'MYR',
    customs: null,
    readyAt: later(clock.now(), hours(24)),
    timeZone: 'Asia/Kuala_Lumpur',
    ...overrides,
  }
}

/** A shipment to Singapore with a customs declaration. */
export const abroad = shipment({
  scope: 'international',
  receiver: testReceiver({ country: 'sg', postcode: '018956', city: 'Singapore', state: 'Singapore' }),
  customs: {
    reason: 'sale',
    reasonText: null,
    items: [
      {
        description: 'Shirt',
        hsCode: '620520',
        quantity: 3,
        unitValueMinor: 4550,
        netWeightGrams: 900,
        originCountry: 'my',
      },
      {
        description: 'Scarf',
        hsCode: null,
        quantity: 1,
        unitValueMinor: 2000,
        netWeightGrams: null,
        originCountry: 'id',
      },
    ],
    comments: null,
    invoiceNumber: 'INV-7',
    licenceNumber: null,
    certificateNumber: null,
  },
})

/** Faults of a carrier's server, and the problem that a client must report for every call. */
export const faults: [name: string, fault: Fault, problem: string][] = [
  ['is unreachable', 'down', 'unreachable'],
  ['never answers', 'slow', 'unreachable'],
  ['answers 500', { status: 500, body: 'Internal Server Error', type: 'text/html' }, 'broken'],
  ['is too busy', { status: 429, body: {}, headers: { 'retry-after': '120' } }, 'busy'],
  ['rejects the credentials', { status: 401, body: { title: 'Unauthorized' } }, 'credentials'],
  ['answers with an HTML page', { status: 200, body: '<html>maintenance</html>', type: 'text/html' }, 'nonsense'],
  ['answers with unexpected fields', { status: 200, body: { result: 'yes', shipments: 7, products: {} } }, 'nonsense'],
  ['sends an empty answer', { status: 200, body: '' }, 'nonsense'],
]
