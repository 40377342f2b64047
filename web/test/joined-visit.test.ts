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

test('removes the pickup fee and its tax if the pickup joins a booked visit', () => {
  const joinedQuote = joinVisit(quote)
  expect(joinedQuote.price?.totalMinor).toBe(894)
  expect(joinedQuote.price?.lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
    ['freight', 840],
    ['pickup', 0],
    ['tax', 54],
  ])
  // The lines still add up to the total.
  expect(joinedQuote.price?.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(894)
  expect(joinedQuote.hints.map(({ kind }) => kind)).toEqual(['lighter'])
})

test('does not change a quote without a pickup', () => {
  const dropOff = { ...quote, pickupFeeMinor: 0 }
  expect(joinVisit(dropOff)).toBe(dropOff)
})
