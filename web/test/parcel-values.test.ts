import { labelValues } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { completeParcel, parcelInput } from '@waybill/contract/parcels/parcels'
import { expect, test } from 'vitest'
import {
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

const validValues: ParcelValues = {
  ...emptyParcel('my'),
  sender: party,
  receiver: party,
  weightGrams: 1200,
  dimensions: { lengthMm: 200, widthMm: 150, heightMm: 100 },
  contentType: 'clothing',
  serviceType: 'e_parcel',
  carrier: 'own',
}

const listProblems = (values: ParcelValues) => {
  const parseResult = completeParcel.safeParse(toParcelInput(values))
  return parseResult.success
    ? []
    : [...new Set(parseResult.error.issues.map(({ path }) => path.map(String).join('.')))].sort()
}

test('accepts a complete parcel in the form and in the contract', () => {
  expect(listProblems(validValues)).toEqual([])
  expect(parcelInput.safeParse(toParcelInput(validValues)).success).toBe(true)
})

test('reports every required field of an empty form, in its step', () => {
  const problems = listProblems(emptyParcel('my'))
  expect(problems).toEqual(
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
  expect([...new Set(problems.map(stepOfField))].sort()).toEqual(['from', 'how', 'to', 'what'])
})

test('needs no size for a document, and does not send dimensions entered earlier', () => {
  const document = {
    ...validValues,
    isDocument: true,
    serviceType: 'document' as const,
    contentType: 'document' as const,
  }
  expect(listProblems(document)).toEqual([])
  expect(completeParcel.parse(toParcelInput(document)).dimensions).toBeNull()
})

test.each(labelValues(deliveryModeLabels))(
  'requires a self-collection station for %s only if the mode ends at a point',
  (mode) => {
    const values = { ...validValues, deliveryMode: mode }
    expect(listProblems(values)).toEqual(mode.endsWith('P') ? ['selfCollectionStationId'] : [])
    const parcel = completeParcel.parse(toParcelInput({ ...values, selfCollectionStationId: station }))
    expect(parcel.selfCollectionStationId).toBe(mode.endsWith('P') ? station : null)
  },
)

test('requires a declared value for insurance, and insures the parcel for it', () => {
  expect(listProblems({ ...validValues, insured: true })).toEqual(['declaredValueMinor'])
  const parcel = completeParcel.parse(toParcelInput({ ...validValues, insured: true, declaredValueMinor: 5_000 }))
  expect(parcel).toMatchObject({ declaredValueMinor: 5_000, insuredValueMinor: 5_000 })
  const plain = completeParcel.parse(toParcelInput({ ...validValues, declaredValueMinor: 5_000 }))
  expect(plain).toMatchObject({ declaredValueMinor: 5_000, insuredValueMinor: null })
})
