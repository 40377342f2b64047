import { calculateMultipleVweight, calculateVweight } from '@waybill/contract/parcels/parcels'
import { expect, it } from 'vitest'
import { buildTestApp } from '../testing/app.ts'

it('calculates volumetric and chargeable weights without sign-in', async () => {
  const test = await buildTestApp()
  const size = { lengthMm: 300, widthMm: 200, heightMm: 101 }
  const one = await test.call(calculateVweight, { body: { ...size, weightGrams: 900 } })
  expect(one.body).toEqual({ volumetricGrams: 1212, chargeableGrams: 1500, divisor: 5000, stepGrams: 500 })
  const many = await test.call(calculateMultipleVweight, { body: { items: [size, { ...size, weightGrams: 1501 }] } })
  expect(many.body).toMatchObject({ totalVolumetricGrams: 2424, totalChargeableGrams: 3500 })
})
