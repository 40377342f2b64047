// An international parcel with its customs declaration.
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { Customs } from '@waybill/contract/parcels/customs'
import type { createParcel } from '@waybill/contract/parcels/parcels'
import { testParty, testReceiver } from '../../testing/factories/parcels.ts'

/** The request that creates a parcel. */
export type Body = BodyIn<typeof createParcel>

/** A receiver in Singapore. */
export const abroad = testReceiver({
  contactName: 'Tan Wei Ling 陈慧玲',
  phone: '+6581234567',
  line1: '10 Bayfront Avenue #08-01',
  line2: null,
  postcode: '018956',
  city: 'Singapore',
  state: '',
  country: 'sg',
})

/** Two items of a declaration with a total of 210.00. */
export const items: Customs['items'] = [
  {
    description: '安溪铁观音茶叶 Tea',
    hsCode: '090240',
    quantity: 2,
    unitValueMinor: 4500,
    netWeightGrams: 500,
    originCountry: 'cn',
  },
  {
    description: 'Batik shirt',
    hsCode: '620520',
    quantity: 1,
    unitValueMinor: 12_000,
    netWeightGrams: 300,
    originCountry: 'my',
  },
]
/** A declaration of a gift. */
export const customs = (overrides: Partial<Customs> = {}): Customs => ({
  reason: 'gift',
  reasonText: null,
  items,
  comments: null,
  invoiceNumber: null,
  licenceNumber: null,
  certificateNumber: null,
  ...overrides,
})

/** A parcel of gifts to Singapore. */
export const parcel = (overrides: Partial<Body> = {}): Body => ({
  scope: 'international',
  serviceType: 'e_parcel',
  deliveryMode: 'D2D',
  sender: testParty(),
  receiver: abroad,
  contentType: 'gifts',
  weightGrams: 1200,
  dimensions: { lengthMm: 200, widthMm: 150, heightMm: 100 },
  customs: customs(),
  ...overrides,
})
