import type { QueryIn } from '@waybill/contract/ground/endpoint'
import { reportServiceLevels } from '@waybill/contract/reports/service-levels'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { createParcel } from '../../testing/factories/parcels.ts'

describe('the report of service levels', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const march = { from: '2026-03-01', to: '2026-03-31' }
  const read = async ({ token }: { token: string }, query: QueryIn<typeof reportServiceLevels> = march) =>
    (await test.call(reportServiceLevels, { token, query })).body
  type Delivery = { arrived: string; promised: string | null; service?: 'e_parcel' | 'document'; leg?: 'return' }
  const deliver = (owner: TestCustomer, { arrived, promised, service = 'e_parcel', leg }: Delivery) =>
    createParcel(test, owner, {
      status: 'completed',
      service_type: service,
      promised_date: promised,
      expected_date: null,
      created_at: new Date('2026-02-01T00:00:00Z'),
      last_event_at: new Date(arrived),
      ...(leg ? { leg } : {}),
    })
  const attempt = (owner: TestCustomer, parcelId: string, status: 'completed' | 'failed', attempts: number) =>
    test.deps.db
      .insertInto('delivery_tasks')
      .values({
        account_id: owner.accountId,
        id: newId(),
        parcel_id: parcelId,
        status,
        attempts,
        finished_at: new Date('2026-03-10T04:00:00Z'),
      })
      .execute()

  it('counts parcels that arrived by the promised day, late, and at the first attempt, by service', async () => {
    const owner = await createCustomer(test)
    const punctual = await deliver(owner, { arrived: '2026-03-10T04:00:00Z', promised: '2026-03-10' })
    const early = await deliver(owner, { arrived: '2026-03-09T04:00:00Z', promised: '2026-03-10' })
    const late = await deliver(owner, { arrived: '2026-03-12T04:00:00Z', promised: '2026-03-10' })
    await deliver(owner, { arrived: '2026-03-12T04:00:00Z', promised: null })
    await deliver(owner, { arrived: '2026-03-12T04:00:00Z', promised: '2026-03-12', service: 'document' })
    await deliver(owner, { arrived: '2026-03-12T04:00:00Z', promised: '2026-03-01', leg: 'return' })
    const failed = await createParcel(test, owner, { status: 'fail-to-deliver', service_type: 'e_parcel' })
    await attempt(owner, punctual.id, 'completed', 1)
    await attempt(owner, early.id, 'completed', 1)
    await attempt(owner, late.id, 'completed', 2)
    await attempt(owner, failed.id, 'failed', 1)
    expect(await read(owner)).toEqual({
      ...march,
      totals: { delivered: 5, onTime: 3, late: 1, attempted: 4, firstAttempt: 2 },
      services: [
        { serviceType: 'e_parcel', delivered: 4, onTime: 2, late: 1, attempted: 4, firstAttempt: 2 },
        { serviceType: 'document', delivered: 1, onTime: 1, late: 0, attempted: 0, firstAttempt: 0 },
      ],
    })
  })

  it("uses the days of the deployment's time zone, both ends included", async () => {
    const owner = await createCustomer(test)
    // Midnight in Kuala Lumpur is 16:00 UTC.
    await deliver(owner, { arrived: '2026-02-28T16:00:00Z', promised: '2026-03-01' })
    await deliver(owner, { arrived: '2026-03-31T15:59:59Z', promised: '2026-03-31' })
    await deliver(owner, { arrived: '2026-02-28T15:59:59Z', promised: '2026-03-01' })
    await deliver(owner, { arrived: '2026-03-31T16:00:00Z', promised: '2026-03-31' })
    expect((await read(owner)).totals).toMatchObject({ delivered: 2, onTime: 2, late: 0 })
  })

  it('shows a member only their own parcels, and nothing without the permission or of other accounts', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    await deliver(owner, { arrived: '2026-03-10T04:00:00Z', promised: '2026-03-10' })
    const member = await createMember(test, owner, ['reports'])
    expect((await read(member)).totals.delivered).toBe(0)
    expect((await read(await createMember(test, owner, ['reports', 'parcels.view_all']))).totals.delivered).toBe(1)
    expect((await read(await createCustomer(test))).totals.delivered).toBe(0)
    const { token } = await createMember(test, owner, ['parcels.view_all'])
    expect((await test.call(reportServiceLevels, { token, query: march })).status).toBe(403)
  })

  it.each([
    ['a period of ten years', { from: '2016-01-01', to: '2026-01-01' }, ['from']],
    ['a period that ends before it begins', { from: '2026-03-02', to: '2026-03-01' }, ['to']],
    ['an invalid date', { from: '2026-02-30' }, ['from']],
  ])('rejects %s and names the field', async (_, query, fields) => {
    const { token } = await createCustomer(test)
    const { status, error } = await test.call(reportServiceLevels, { token, query })
    expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, fields])
  })
})
