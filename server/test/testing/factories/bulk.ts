import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { type BulkBatch, type BulkField, type BulkRow, createBulk, getBulk } from '@waybill/contract/parcels/bulk'
import { expect } from 'vitest'
import { form } from '../../parcels/bulk/bulk-sheets.ts'
import type { TestApp } from '../app.ts'
import { createCustomer, type TestCustomer } from './accounts.ts'
import { addAddress } from './addresses.ts'

type ReadBatch = ResponseOf<typeof getBulk>
type Filter = { only?: 'bad' | 'good' | 'carted'; limit?: number }

/** A customer with a default sender, so that rows may leave their sender out. */
export async function createSender(test: TestApp, label: string | null = null): Promise<TestCustomer> {
  const customer = await createCustomer(test)
  await addAddress(test, customer, { isDefault: true, kind: 'sender', label })
  return customer
}

/** Uploads a file as a browser does, and returns any response. */
export async function uploadSheet(
  test: TestApp,
  { token }: TestCustomer,
  bytes: Buffer,
  { name = 'parcels.xlsx', headers = {} }: { name?: string | undefined; headers?: Record<string, string> } = {},
) {
  const { payload, headers: type } = form(bytes, name)
  const answer = await test.app.inject({
    method: 'POST',
    url: createBulk.path,
    payload,
    headers: { ...type, authorization: `Bearer ${token}`, ...headers },
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** The current state of a batch, with up to 200 of its rows. */
export async function getBatch(
  test: TestApp,
  { token }: TestCustomer,
  id: string,
  filter: Filter = {},
  language = 'en',
): Promise<ReadBatch> {
  return (await test.call(getBulk, { params: { id }, query: { limit: 200, ...filter }, token, language })).body
}

/** Uploads a file and waits until the job has read it. */
export async function readSheet(test: TestApp, owner: TestCustomer, bytes: Buffer, name?: string): Promise<ReadBatch> {
  const { status, body } = await uploadSheet(test, owner, bytes, { name })
  expect(status, JSON.stringify(body)).toBe(200)
  await test.settle()
  return getBatch(test, owner, (body as BulkBatch).id)
}

/** Creates a batch of these rows and waits until the job has read it. */
export async function readRows(
  test: TestApp,
  owner: TestCustomer,
  rows: Partial<Record<BulkField, string>>[],
): Promise<ReadBatch> {
  const { status, body, error } = await test.call(createBulk, { body: { rows }, token: owner.token })
  expect(status, JSON.stringify(error)).toBe(200)
  await test.settle()
  return getBatch(test, owner, body.id)
}

/** The column, code and suggestion of each problem of a row. */
export function listProblems(row: BulkRow | undefined) {
  return row?.problems.map(({ column, code, suggestion }) => [column, code, suggestion])
}
