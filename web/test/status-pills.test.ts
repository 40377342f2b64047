import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { OrderPill, ParcelPill } from '../src/components/display/record-pills.tsx'

// Components cannot subscribe to the language without a browser.
vi.mock('../src/lib/i18n.ts', () => ({ useT: () => (key: string) => key, useLanguage: () => 'en' }))

/** The visible text. */
const getText = (element: ReactElement) => renderToString(element).replace(/<[^>]+>/g, '')

test('a parcel that waits for an approval does not look as if its sender had to pay', () => {
  const parcel = { status: 'pending_payment', leg: 'outbound' } as const
  const write = (waitsForApproval: boolean) => getText(createElement(ParcelPill, { parcel, waitsForApproval }))
  expect(write(true)).toBe('approvals.waitsTitle')
  expect(write(false)).toBe('Waiting for payment')
})

test('an order says whether it waits for an approval, a payment or a difference', () => {
  const order = { status: 'pending_payment', paidMinor: 0, totalMinor: 900, waitsForApproval: false } as const
  const write = (changes: object) => getText(createElement(OrderPill, { order: { ...order, ...changes } }))
  expect(write({ waitsForApproval: true })).toBe('approvals.waitsTitle')
  expect(write({})).toBe('Waiting for payment')
  expect(write({ status: 'outstanding', paidMinor: 900 })).toBe('ordersPage.differenceDue')
})
