import { expect, test } from 'vitest'
import { getDoubts, toParsedParty } from '../src/features/addresses/shared/parsed-party.ts'
import { emptyParcel } from '../src/features/parcels/new-parcel/parcel-values.ts'
import { toBulkRow } from '../src/features/parcels/paste/bulk-rows.ts'
import { fillReadings } from '../src/features/parcels/paste/use-paste.ts'

const fields = {
  contactName: { value: 'Ali', confidence: 0.6 },
  phone: { value: '+60123456789', confidence: 1 },
  postcode: { value: '50350', confidence: 1 },
  country: { value: 'my', confidence: 0.9 },
}

test('marks only guessed values as doubtful', () => {
  expect(getDoubts(fields)).toEqual({ contactName: 'Ali' })
})

test('fills in a pasted receiver and removes the link to the address book', () => {
  const values = { ...emptyParcel('my'), receiverKnown: true }
  const party = toParsedParty(fields, 'my')
  const next = fillReadings(values, [{ side: 'receiver', party, doubts: {} }])
  expect(next.receiver).toMatchObject({ contactName: 'Ali', phone: '+60123456789', postcode: '50350', line1: '' })
  expect(next.receiverKnown).toBe(false)
  expect(next.sender).toBe(values.sender)
})

test('delivers an international parcel to the door', () => {
  const values = { ...emptyParcel('my'), deliveryMode: 'P2P' as const }
  const party = { ...toParsedParty(fields, 'my'), country: 'sg' }
  expect(fillReadings(values, [{ side: 'receiver', party, doubts: {} }]).deliveryMode).toBe('P2D')
  expect(fillReadings(values, [{ side: 'sender', party: toParsedParty(fields, 'my'), doubts: {} }]).deliveryMode).toBe(
    'P2P',
  )
})

test('converts an address to a row of a bulk upload', () => {
  expect(toBulkRow(fields)).toEqual({ receiverName: 'Ali', phone: '+60123456789', postcode: '50350', country: 'my' })
})
