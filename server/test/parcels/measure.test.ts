import { calculateMultipleVweight, calculateVweight } from '@waybill/contract/parcels/parcels'
import { priceServices } from '@waybill/contract/pricing/pricing'
import { expect, it } from 'vitest'
import { buildTestApp } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

const size = { lengthMm: 300, widthMm: 200, heightMm: 101 }

it('calculates volumetric and chargeable weights without sign-in', async () => {
  const test = await buildTestApp()
  const one = await test.call(calculateVweight, { body: { ...size, weightGrams: 900 } })
  expect(one.body).toEqual({ volumetricGrams: 1212, chargeableGrams: 1500, divisor: 5000, stepGrams: 500 })
  const many = await test.call(calculateMultipleVweight, { body: { items: [size, { ...size, weightGrams: 1501 }] } })
  expect(many.body).toMatchObject({ totalVolumetricGrams: 2424, totalChargeableGrams: 3500 })
})

it('calculates the chargeable weight that the price has, by the divisor and the step of the carrier', async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const weightGrams = 2100
  const places = { sender: { postcode: '59100' }, receiver: { postcode: '10300' } }
  const { items } = (await test.call(priceServices, { body: { ...places, ...{ weightGrams, dimensions: size } } })).body
  const price = items.find(({ serviceType, carrier }) => serviceType === 'e_parcel' && carrier === 'own')?.price
  const own = (await test.call(calculateVweight, { body: { ...size, weightGrams } })).body
  expect(own).toMatchObject({ chargeableGrams: price?.chargeableGrams, divisor: price?.divisor })
  await test.deps.db.updateTable('carrier_rules').set({ divisor: 6000, rounding_grams: 250 }).execute()
  test.deps.live.publish(test.deps.db, 'rates', {})
  const read = async () => (await test.call(calculateVweight, { body: { ...size, weightGrams, carrier: 'dhl' } })).body
  await expect.poll(read).toMatchObject({ divisor: 6000, volumetricGrams: 1010, chargeableGrams: 2250, stepGrams: 250 })
})
