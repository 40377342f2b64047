import { deliveryModeLabels, labelValues } from '@waybill/contract/ground/enums'
import { parcelInput } from '@waybill/contract/parcels/parcels'
import { expect, test } from 'vitest'
import {
  completeParcel,
  emptyParcel,
  type ParcelValues,
  stepOfField,
  toParcelInput,
} from '../src/features/parcels/new-parcel/parcel-values.ts'

const party = {
  contactName: 'Nurul Huda',
  company: null,
  phone: '+60123456789',
  email: '',
  line1: '12 Jalan Ampang',
  line2: null,
  postcode: '50450',
  city: 'Kuala Lumpur',
  state: 'Kuala Lumpur',
  country: 'my',
  residential: true,
  remarks: null,
}
const station = '0190d8a4-5c7e-7cc0-8000-000000000001'

const whole: ParcelValues = {
  ...emptyParcel('my'),
  sender: party,
  receiver: party,
  weightGrams: 1200,
  dimensions: { lengthMm: 200, widthMm: 150, heightMm: 100 },
  contentType: 'clothing',
  serviceType: 'e_parcel',
  carrier: 'own',
}

const wrongIn = (values: ParcelValues) => {
  const parseResult = completeParcel.safeParse(toParcelInput(values))
  return parseResult.success
    ? []
    : [...new Set(parseResult.error.issues.map(({ path }) => path.map(String).join('.')))].sort()
}

test('a parcel with everything is taken by the form and by the contract', () => {
  expect(wrongIn(whole)).toEqual([])
  expect(parcelInput.safeParse(toParcelInput(whole)).success).toBe(true)
})

test('nothing written yet: every field that is needed says so, in its step', () => {
  const wrong = wrongIn(emptyParcel('my'))
  expect(wrong).toEqual(
    expect.arrayContaining([
      'carrier',
      'contentType',
      'dimensions.lengthMm',
      'receiver.phone',
      'sender.contactName',
      'serviceType',
      'weightGrams',
    ]),
  )
  expect([...new Set(wrong.map(stepOfField))].sort()).toEqual(['from', 'how', 'to', 'what'])
})

test('a document needs no size, and what was measured before does not go with it', () => {
  const document = { ...whole, isDocument: true, serviceType: 'document' as const, contentType: 'document' as const }
  expect(wrongIn(document)).toEqual([])
  expect(completeParcel.parse(toParcelInput(document)).dimensions).toBeNull()
})

test.each(labelValues(deliveryModeLabels))(
  '%s asks for a station of self collection only where it ends at one',
  (mode) => {
    const values = { ...whole, deliveryMode: mode }
    expect(wrongIn(values)).toEqual(mode.endsWith('P') ? ['selfCollectionStationId'] : [])
    const parcel = completeParcel.parse(toParcelInput({ ...values, selfCollectionStationId: station }))
    expect(parcel.selfCollectionStationId).toBe(mode.endsWith('P') ? station : null)
  },
)

test('insured without a value asks for the value; insured with one is insured for it', () => {
  expect(wrongIn({ ...whole, insured: true })).toEqual(['declaredValueMinor'])
  const parcel = completeParcel.parse(toParcelInput({ ...whole, insured: true, declaredValueMinor: 5_000 }))
  expect(parcel).toMatchObject({ declaredValueMinor: 5_000, insuredValueMinor: 5_000 })
  const plain = completeParcel.parse(toParcelInput({ ...whole, declaredValueMinor: 5_000 }))
  expect(plain).toMatchObject({ declaredValueMinor: 5_000, insuredValueMinor: null })
})
