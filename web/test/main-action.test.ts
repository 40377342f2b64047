import type { ParcelAction, ParcelDetail } from '@waybill/contract/parcels/parcels'
import { expect, test } from 'vitest'
import { findMainAction } from '../src/features/parcels/main-action.ts'

const every: ParcelAction[] = ['print_note', 'repeat']

function findMain(status: ParcelDetail['status'], allowedActions: ParcelAction[] = every, amountDueMinor = 0) {
  return findMainAction({ status, allowedActions, amountDueMinor, trackingNumber: 'WB600000012MY' })
}

test('prints a parcel to hand over, shares one on its way, and ships a finished one again', () => {
  expect(findMain('pending_pickup')).toBe('print_note')
  expect(findMain('pending_dropoff')).toBe('print_note')
  for (const status of ['inbound', 'sorting', 'outbound', 'delivering', 'recall', 'reverse_pickup'] as const) {
    expect(findMain(status), status).toBe('share')
  }
  for (const status of ['completed', 'collected', 'cancel', 'refunded'] as const) {
    expect(findMain(status), status).toBe('repeat')
  }
  expect(findMain('lost')).toBeNull()
})

test('moves a complete draft to the cart, and a parcel in the cart to the checkout', () => {
  expect(findMain('pending', ['edit'])).toBe('edit')
  expect(findMain('pending', ['edit', 'add_to_cart'])).toBe('add_to_cart')
  expect(findMain('incart', ['edit', 'take_out_of_cart', 'checkout'])).toBe('checkout')
})

test('has no second main button next to a payment or a choice', () => {
  expect(findMain('outstanding', [...every, 'pay_outstanding'], 500)).toBeNull()
  expect(findMain('outstanding', every, 500)).toBeNull()
  expect(findMain('fail-to-deliver', [...every, 'choose_delivery'])).toBeNull()
  expect(findMain('pending_payment')).toBeNull()
})

test('does not offer actions without permission', () => {
  expect(findMain('completed', [])).toBeNull()
  expect(findMain('incart', [])).toBeNull()
  expect(findMain('pending', [])).toBeNull()
})
