/** Uploads spreadsheets of addresses, and reads what became of them. */
import { type AddressImport, createAddressImport, getAddressImport } from '@waybill/contract/addresses/import'
import { expect } from 'vitest'
import { form, xlsx } from '../parcels/bulk/bulk-sheets.ts'
import type { TestApp } from '../testing/app.ts'
import type { TestCustomer } from '../testing/factories/accounts.ts'

export const headers = ['Name', 'Phone', 'Address', 'Postcode', 'City', 'State']
export const row = (name: string, phone = '012-384 7265', line1 = '12, Jalan Kiara 3') => [
  name,
  phone,
  line1,
  '50480',
  'Kuala Lumpur',
  'Kuala Lumpur',
]

/** Uploads a file without reading it. */
export async function uploadAddresses(
  test: TestApp,
  { token }: TestCustomer,
  bytes: Buffer,
  name = 'addresses.xlsx',
  language = 'en',
) {
  const { payload, headers: type } = form(bytes, name)
  const answer = await test.app.inject({
    method: 'POST',
    url: createAddressImport.path,
    payload,
    headers: { ...type, authorization: `Bearer ${token}`, 'accept-language': language },
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** An import with its first 200 rows. */
export const getAddresses = async (test: TestApp, { token }: TestCustomer, id: string, language = 'en') =>
  (await test.call(getAddressImport, { token, params: { id }, query: { limit: 200 }, language })).body

/** Uploads rows and runs the job that reads them. */
export async function readAddresses(
  test: TestApp,
  owner: TestCustomer,
  rows: (string | number | null)[][],
  language = 'en',
) {
  const { status, body } = await uploadAddresses(test, owner, await xlsx(rows))
  expect(status, JSON.stringify(body)).toBe(200)
  await test.settle()
  return getAddresses(test, owner, (body as AddressImport).id, language)
}
