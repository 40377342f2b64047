import { labelValues } from '@waybill/contract/ground/enums/labels'
import { trackingStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { isTrackingEnded } from '@waybill/contract/ground/status/tracking-status'
import { expect, test } from 'vitest'
import { findUsualMethod } from '../src/features/orders/checkout/usual-method.ts'
import { listExcluded } from '../src/features/parcels/cart/preselection.ts'
import { whyNotRepeat } from '../src/features/parcels/list/why-not-repeat.ts'
import { type Due, listFirstExcluded } from '../src/features/parcels/outstanding/first-selection.ts'

test('preselects the first open payment method, except credits that are insufficient', () => {
  const open = ['express_credit', 'ipay88', 'store'] as const
  expect(findUsualMethod(open, 1000, 1000)).toBe('express_credit')
  expect(findUsualMethod(open, 1000, 999)).toBe('ipay88')
  expect(findUsualMethod(open, 1000, undefined)).toBe('express_credit')
  // Without another method, the form shows how much is missing and links to a top-up.
  expect(findUsualMethod(['express_credit'], 1000, 999)).toBe('express_credit')
  expect(findUsualMethod([], 1000, 999)).toBeNull()
})

test('does not preselect parcels of a pending checkout for another one', () => {
  const parcels = [
    { id: 'a', orderId: null },
    { id: 'b', orderId: 'order' },
  ]
  expect([...listExcluded(parcels, null)]).toEqual(['b'])
  expect([...listExcluded(parcels, new Set(['a']))]).toEqual(['a'])
})

test('does not preselect a disputed weight difference for payment', () => {
  const due = (parcelId: string, weighingState: 'open' | 'contested' | null) =>
    ({ key: parcelId, items: [{ parcelId, weighingState }], amountMinor: 100 }) as unknown as Due
  const dues = [due('store', null), due('open', 'open'), due('disputed', 'contested')]
  expect([...listFirstExcluded(dues, undefined)]).toEqual(['disputed'])
  expect([...listFirstExcluded(dues, 'another')]).toEqual(['disputed'])
  expect([...listFirstExcluded(dues, 'open')]).toEqual(['store', 'disputed'])
  // The sender came from its page to pay it before the decision.
  expect([...listFirstExcluded(dues, 'disputed')]).toEqual(['store', 'open'])
})

test('explains why "Ship again" is unavailable for several parcels or a draft', () => {
  const past = { allowedActions: ['repeat'] as const }
  const draft = { allowedActions: ['edit'] as const }
  expect(whyNotRepeat([{ ...past, allowedActions: [...past.allowedActions] }])).toBeNull()
  expect(whyNotRepeat([{ allowedActions: [...draft.allowedActions] }])).toBe('parcelsPage.repeatNone')
  expect(whyNotRepeat([{ allowedActions: ['repeat'] }, { allowedActions: ['repeat'] }])).toBe('parcelsPage.repeatOne')
})

test('ends the following of a parcel whose journey has ended, also at its sender, and of a lost one', () => {
  expect(labelValues(trackingStatusLabels).filter(isTrackingEnded)).toEqual(['delivered', 'lost', 'cancelled'])
})
