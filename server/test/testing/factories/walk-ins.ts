/** Parcels of senders without an account. */
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { priceServices } from '@waybill/contract/pricing/pricing'
import type { TestApp } from '../app.ts'
import { parcelBody, testParty, testReceiver } from './parcels.ts'

export type WalkIn = BodyIn<typeof bookWalkIn>

/** A walk-in at a station with today's price, for its first drawer. */
export async function walkInBody(test: TestApp, stationId: string): Promise<WalkIn> {
  const parcel = parcelBody() as WalkIn
  const { weightGrams, dimensions } = parcel
  const places = { sender: { postcode: testParty().postcode }, receiver: { postcode: testReceiver().postcode } }
  const question = { ...places, weightGrams, dimensions, deliveryMode: 'P2D' as const, dropOffStationId: stationId }
  const { items } = (await test.call(priceServices, { body: question })).body
  return {
    ...parcel,
    selfCollectionStationId: null,
    declaredValueMinor: null,
    customs: null,
    deliveryMode: 'P2D',
    carrier: 'own',
    expectedTotalMinor: items.find(({ code }) => code === 'own.e_parcel.P2D')?.price?.totalMinor ?? 0,
    drawerNumber: 1,
    givenMinor: 10_000,
    currency: 'MYR',
    language: 'en',
  }
}
