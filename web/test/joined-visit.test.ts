import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { expect, test } from 'vitest'
import { joinVisit } from '../src/features/parcels/quotes/joined-visit.ts'

const lines = [
  { kind: 'freight', amountMinor: 840, basis: {} },
  { kind: 'pickup', amountMinor: 200, basis: {} },
  { kind: 'tax', amountMinor: 66, basis: {} },
]
const quote = {
  pickupFeeMinor: 212,
  hints: [
    { kind: 'delivery_mode', deliveryMode: 'P2D', savesMinor: 212 },
    { kind: 'lighter', lessGrams: 200, savesMinor: 100 },
  ],
  price: { lines, totalMinor: 1_106 },
} as unknown as ServiceQuote

test('a pickup that joins a booked visit costs nothing, and its tax goes with it', () => {
  const joined = joinVisit(quote)
  expect(joined.price?.totalMinor).toBe(894)
  expect(joined.price?.lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['freight', 840],
    ['pickup', 0],
    ['tax', 54],
  ])
  // The lines still add up to the total.
  expect(joined.price?.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(894)
  expect(joined.hints.map(({ kind }) => kind)).toEqual(['lighter'])
})

test('a quote without a pickup stays as it is', () => {
  const dropOff = { ...quote, pickupFeeMinor: 0 }
  expect(joinVisit(dropOff)).toBe(dropOff)
})
