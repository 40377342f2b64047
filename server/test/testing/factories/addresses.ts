import { createAddress } from '@waybill/contract/addresses/addresses'
import type { BodyIn } from '@waybill/contract/ground/endpoint'
import type { TestApp } from '../app.ts'
import type { TestCustomer } from './accounts.ts'

type AddressBody = BodyIn<typeof createAddress>

/** A valid address. */
export function addressBody(overrides: Partial<AddressBody> = {}): AddressBody {
  return {
    contactName: 'Nur Izzati',
    phone: '+60123847265',
    line1: '12, Jalan Kiara 3',
    postcode: '50480',
    city: 'Kuala Lumpur',
    state: 'Kuala Lumpur',
    country: 'my',
    ...overrides,
  }
}

/** Adds an address to the customer's address book over HTTP. */
export async function addAddress(test: TestApp, { token }: TestCustomer, overrides: Partial<AddressBody> = {}) {
  const { status, body, error } = await test.call(createAddress, { token, body: addressBody(overrides) })
  if (status !== 200) throw new Error(`no address: ${JSON.stringify(error)}`)
  return body
}
