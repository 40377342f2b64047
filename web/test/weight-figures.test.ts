import { expect, test } from 'vitest'
import { explainWeight } from '../src/features/parcels/quotes/explain-weight.ts'
import { listWeighingFigures, whyNotWeighed } from '../src/features/parcels/weighing/weighing-figures.ts'

test('shows a weight equal to the chargeable one only once', () => {
  expect(explainWeight(0, null)).toBeNull()
  expect(explainWeight(0, 1200)).toMatchObject({ actual: null, volumetric: 1200, chargeable: null })
  expect(explainWeight(2000, null)).toMatchObject({ actual: null, chargeable: 2000, by: null, rounded: false })
  expect(explainWeight(2000, 1200)).toMatchObject({ actual: null, volumetric: 1200, chargeable: 2000, by: 'weight' })
  expect(explainWeight(1000, 1200)).toMatchObject({ actual: 1000, volumetric: null, chargeable: 1200, by: 'size' })
  const rounded = { actual: 1000, volumetric: 1200, chargeable: 1500, by: 'size', rounded: true }
  expect(explainWeight(1000, 1200, 1500)).toEqual(rounded)
})

const weighing = (declaredGrams: number, weightGrams: number, before: number, after: number) =>
  listWeighingFigures({ declaredGrams, weightGrams, chargeableBeforeGrams: before, chargeableGrams: after })

test('shows each weight of a re-weighing once', () => {
  expect(weighing(1200, 1200, 1200, 1200)).toEqual({ declared: null, measured: 1200, charged: null })
  expect(weighing(1200, 5200, 1200, 5200)).toEqual({ declared: 1200, measured: 5200, charged: null })
  const byVolume = { declared: 1200, measured: 1300, charged: { before: null, after: 2000 } }
  expect(weighing(1200, 1300, 2000, 2000)).toEqual(byVolume)
  expect(weighing(1200, 1300, 1500, 2000).charged).toEqual({ before: 1500, after: 2000 })
})

test('names the reason why a station cannot weigh a parcel', () => {
  const at = (id: string) => ({ holder: 'station', station: { id, name: id } }) as never
  const why = (leg: 'outbound' | 'return', status: 'outstanding' | 'recall', station: string, own: string | null) =>
    whyNotWeighed({ leg, status, custody: at(station) }, own)
  expect(why('outbound', 'outstanding', 'here', 'here')).toBe('notNow')
  expect(why('outbound', 'outstanding', 'here', null)).toBe('notNow')
  expect(why('outbound', 'outstanding', 'there', 'here')).toBe('notHere')
  expect(why('return', 'outstanding', 'here', 'here')).toBe('goingBack')
  expect(why('outbound', 'recall', 'here', 'here')).toBe('goingBack')
})
