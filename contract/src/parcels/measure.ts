/** The volumetric and chargeable weight of parcels, also for visitors. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { carrierLabels, labelValues } from '../ground/enums.ts'
import { dimensions, weightGrams } from '../ground/measures.ts'

const base = '/api/customer/parcels'

const chargeableWeight = z.object({
  volumetricGrams: z.number(),
  chargeableGrams: z.number(),
  divisor: z.number(),
  stepGrams: z.number(),
})

export const calculateVweight = endpoint({
  id: 'parcels.calculateVweight',
  method: 'POST',
  path: `${base}/calculate-vweight`,
  access: 'public',
  summary: 'Volumetric and chargeable weight of one parcel',
  body: z.extend(dimensions, {
    weightGrams: z.optional(weightGrams),
    carrier: z._default(z.enum(labelValues(carrierLabels)), 'own' as const),
  }),
  response: chargeableWeight,
})

export const calculateMultipleVweight = endpoint({
  id: 'parcels.calculateMultipleVweight',
  method: 'POST',
  path: `${base}/calculate-multiple-vweight`,
  access: 'public',
  summary: 'Volumetric and chargeable weights of several parcels and their sums',
  body: z.object({
    items: z
      .array(z.extend(dimensions, { weightGrams: z.optional(weightGrams) }))
      .check(z.minLength(1), z.maxLength(1000)),
    carrier: z._default(z.enum(labelValues(carrierLabels)), 'own' as const),
  }),
  response: z.object({
    items: z.array(chargeableWeight),
    totalVolumetricGrams: z.number(),
    totalChargeableGrams: z.number(),
  }),
})
