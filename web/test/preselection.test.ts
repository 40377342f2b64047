import { expect, test } from 'vitest'
import { findUsualMethod } from '../src/features/orders/checkout/usual-method.ts'
import { listExcluded } from '../src/features/parcels/cart/preselection.ts'
import { whyNotRepeat } from '../src/features/parcels/list/why-not-repeat.ts'
import { hasEnded } from '../src/features/tracking/following/follow-token.ts'

test('a checkout begins with the first open method, but not with credits that do not suffice', () => {
  const open = ['express_credit', 'ipay88', 'store'] as const
  expect(findUsualMethod(open, 1000, 1000)).toBe('express_credit')
  expect(findUsualMethod(open, 1000, 999)).toBe('ipay88')
  expect(findUsualMethod(open, 1000, undefined)).toBe('express_credit')
  // Where there is no other way, the form says how much is missing and leads to a top-up.
  expect(findUsualMethod(['express_credit'], 1000, 999)).toBe('express_credit')
  expect(findUsualMethod([], 1000, 999)).toBeNull()
})

test('parcels of a checkout that waits are not selected for another one, unless the user does so', () => {
  const parcels = [
    { id: 'a', orderId: null },
    { id: 'b', orderId: 'order' },
  ]
  expect([...listExcluded(parcels, null)]).toEqual(['b'])
  expect([...listExcluded(parcels, new Set(['a']))]).toEqual(['a'])
})

test('"Ship again" says why it cannot: several parcels, or a draft', () => {
  const past = { allowedActions: ['repeat'] as const }
  const draft = { allowedActions: ['edit'] as const }
  expect(whyNotRepeat([{ ...past, allowedActions: [...past.allowedActions] }])).toBeNull()
  expect(whyNotRepeat([{ allowedActions: [...draft.allowedActions] }])).toBe('parcelsPage.repeatNone')
  expect(whyNotRepeat([{ allowedActions: ['repeat'] }, { allowedActions: ['repeat'] }])).toBe('parcelsPage.repeatOne')
})

test('a parcel that is back with its sender, or refunded, has ended for those who follow it', () => {
  const isOver = (trackingStatus: Parameters<typeof hasEnded>[0]['trackingStatus'], leg: 'outbound' | 'return') =>
    hasEnded({ trackingStatus, leg } as Parameters<typeof hasEnded>[0])
  expect(isOver('delivered', 'return')).toBe(true)
  expect(isOver('cancelled', 'outbound')).toBe(true)
  for (const status of ['in_transit', 'out_for_delivery', 'recall', 'reverse_pickup'] as const)
    expect(isOver(status, 'return'), status).toBe(false)
})
