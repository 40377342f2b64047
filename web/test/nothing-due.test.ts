import { expect, test } from 'vitest'
import { findNothingDue } from '../src/features/payments/shared/nothing-due.ts'
import { ApiError } from '../src/lib/api.ts'

const refuse = (code: string, details?: Record<string, unknown>) =>
  new ApiError({ statusCode: 409, code, message: 'Reload the page.', ...(details && { details }) })

test('a parcel that is on its way is paid, which is no mistake', () => {
  for (const status of ['pending_dropoff', 'inbound', 'completed'])
    expect(findNothingDue(refuse('nothing_due', { status }))).toBe('paid')
})

test('only a paid parcel is called paid', () => {
  for (const status of ['cancel', 'refunded', 'pending_payment'])
    expect(findNothingDue(refuse('nothing_due', { status }))).toBe('other')
  expect(findNothingDue(refuse('nothing_due'))).toBe('other')
  expect(findNothingDue(refuse('parcel_unknown', { status: 'inbound' }))).toBeNull()
  expect(findNothingDue(new Error('offline'))).toBeNull()
})
