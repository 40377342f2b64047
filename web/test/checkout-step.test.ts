import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'
import type { OrderStatus, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { describe, expect, it } from 'vitest'
import { getCheckoutStep } from '../src/features/orders/checkout-step.ts'

const order = (status: OrderStatus, paymentMethod: PaymentMethod, parcels: ParcelStatus[], other = {}) => ({
  status,
  paymentMethod,
  paidAt: null,
  invoiceNumber: 'INV-1',
  parcels: parcels.map((each) => ({ status: each })),
  ...other,
})

describe('the checkout', () => {
  it.each([
    ['is over for a billed order on its way', order('pending', 'monthly_billing', ['outbound']), 'over'],
    ['is over for a billed order that is refunded', order('refunded', 'monthly_billing', ['cancel']), 'over'],
    ['waits for the parcels of a billed order', order('pending', 'monthly_billing', ['pending_dropoff']), 'hand_over'],
    [
      'is over for an order paid at the counter whose parcel was re-weighed',
      order('outstanding', 'store', ['outstanding'], { paidAt: '2026-07-01T00:00:00Z' }),
      'over',
    ],
    [
      'waits for the payment at the counter',
      order('outstanding', 'store', ['outstanding'], { invoiceNumber: null }),
      'hand_over',
    ],
    [
      'has ended for an order that was never paid',
      order('cancel', 'store', ['incart'], { invoiceNumber: null }),
      'ended',
    ],
  ] as const)('%s', (_, facts, step) => {
    expect(getCheckoutStep(facts)).toBe(step)
  })
})
