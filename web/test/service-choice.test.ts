import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { expect, test } from 'vitest'
import { answerWith } from '../src/features/parcels/services/delivery-mode.ts'
import { findServiceNeeds } from '../src/features/parcels/services/service-needs.ts'

const quote = (code: string, totalMinor: number, expectedDate: string | null, open = true) =>
  ({ code, open, expectedDate, price: { totalMinor } }) as unknown as ServiceQuote

test('finds the cheapest service, and the fastest one with its additional cost', () => {
  const { cheapest, fastest } = findServiceNeeds([
    quote('slow', 900, '2026-11-27'),
    quote('fast', 1_400, '2026-11-25'),
    quote('fast and dear', 2_000, '2026-11-25'),
    quote('closed', 100, '2026-11-24', false),
    quote('no day', 1_000, null),
  ])
  expect(cheapest?.code).toBe('slow')
  expect([fastest?.quote.code, fastest?.extraMinor]).toEqual(['fast', 500])
})

test('finds no fastest service if the cheapest is as fast, or if none is open', () => {
  expect(findServiceNeeds([quote('a', 900, '2026-11-25'), quote('b', 1_000, '2026-11-25')]).fastest).toBeNull()
  expect(findServiceNeeds([quote('a', 900, null)]).fastest).toBeNull()
  expect(findServiceNeeds([quote('a', 900, '2026-11-25', false)])).toEqual({ cheapest: null, fastest: null })
  // If two prices are equal, the service with the earlier day counts as the cheapest.
  expect(findServiceNeeds([quote('late', 900, '2026-11-26'), quote('early', 900, '2026-11-25')]).cheapest?.code).toBe(
    'early',
  )
})

test('changes one half of the delivery mode with each answer', () => {
  const all = ['D2D', 'D2P', 'P2D', 'P2P'] as const
  expect(answerWith(all, 'D2D', 'start', 'P')).toBe('P2D')
  expect(answerWith(all, 'P2D', 'end', 'P')).toBe('P2P')
  // If the mode is not offered, the other answer changes too. An answer without any offered mode is disabled.
  expect(answerWith(['D2D', 'P2P'], 'D2D', 'start', 'P')).toBe('P2P')
  expect(answerWith(['D2D', 'P2D'], 'D2D', 'end', 'P')).toBeNull()
})
