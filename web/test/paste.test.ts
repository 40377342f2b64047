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

test('fills in a pasted receiver, removes the link to the address book, and changes nothing else', () => {
  const values = { ...emptyParcel('my'), receiverKnown: true }
  const party = toParsedParty(fields, 'my')
  const { receiver, ...changes } = fillReadings(values, [{ side: 'receiver', party, doubts: {} }])
  expect(receiver).toMatchObject({ contactName: 'Ali', phone: '+60123456789', postcode: '50350', line1: '' })
  expect(changes).toEqual({ receiverKnown: false })
})

test('delivers an international parcel to the door', () => {
  const values = { ...emptyParcel('my'), deliveryMode: 'P2P' as const }
  const party = { ...toParsedParty(fields, 'my'), country: 'sg' }
  expect(fillReadings(values, [{ side: 'receiver', party, doubts: {} }]).deliveryMode).toBe('P2D')
  const sender = toParsedParty(fields, 'my')
  expect(fillReadings(values, [{ side: 'sender', party: sender, doubts: {} }])).toEqual({ sender })
})

test('converts an address to a row of a bulk upload', () => {
  expect(toBulkRow(fields)).toEqual({ receiverName: 'Ali', phone: '+60123456789', postcode: '50350', country: 'my' })
})
