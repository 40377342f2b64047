// Requests the prices of a one-kilogram parcel from door to door in Kuala Lumpur.
import type { BodyIn, ResponseOf } from '@waybill/contract/ground/endpoint'
import { priceServices } from '@waybill/contract/pricing/pricing'
import { expect } from 'vitest'
import type { TestApp } from '../testing/app.ts'

export const kualaLumpur = { postcode: '50480' }

/** The fields that differ from that parcel. */
export type Request = BodyIn<typeof priceServices>

type Quote = ResponseOf<typeof priceServices>['items'][number]

/** Requests the services; returns any response. */
export const askPrices = (test: TestApp, overrides: Partial<Request> = {}, token?: string) =>
  test.call(priceServices, {
    body: { sender: kualaLumpur, receiver: kualaLumpur, weightGrams: 1000, ...overrides },
    ...(token ? { token } : {}),
  })

/** All services, closed ones last. */
export async function listQuotes(test: TestApp, overrides: Partial<Request> = {}, token?: string): Promise<Quote[]> {
  const { status, body } = await askPrices(test, overrides, token)
  expect(status).toBe(200)
  return body.items
}

/** The quote of the parcel service. */
export async function quoteParcel(test: TestApp, overrides: Partial<Request> = {}, token?: string): Promise<Quote> {
  const [quote] = await listQuotes(test, { serviceType: 'e_parcel', ...overrides }, token)
  if (!quote) throw new Error('no quote')
  return quote
}

/** The amounts of a quote by kind of line. */
export const getLines = ({ price }: Quote) =>
  Object.fromEntries(price?.lines.map(({ kind, amountMinor }) => [kind, amountMinor]) ?? [])
