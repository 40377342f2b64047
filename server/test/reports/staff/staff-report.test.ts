import { cancelOrder } from '@waybill/contract/orders/refunds'
import { exportDeploymentReport, reportDeployment } from '@waybill/contract/reports/staff'
import { beforeAll, describe, expect, it } from 'vitest'
import { readStream } from '../../../src/domains/attachments/file-store.ts'
import { deploymentPdf } from '../../../src/domains/reports/staff/documents.ts'
import { dayIn, days, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderNow, payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { createPayer } from '../../testing/factories/wallet.ts'
import { openPaper } from '../../testing/paper.ts'

describe('the report of the deployment', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })
  const read = async (query: { from?: string; to?: string } = {}) => {
    const { token } = await createStaff(test, { type: 'staff', role: 'account_manager' })
    const { status, body } = await test.call(reportDeployment, { token, query })
    expect(status).toBe(200)
    return body
  }
  const today = () => dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')

  it('adds up the orders of all accounts: paid, refunded, and the number of parcels', async () => {
    const before = await read()
    const [one, two] = [await createPayer(test), await createPayer(test)]
    const first = await placeOrder(test, one, { count: 2 })
    const second = await placeOrder(test, two)
    await payCredits(test, one, first)
    await payCredits(test, two, second)
    const refund = { reason: 'changed my mind', refundTo: 'wallet' as const }
    const cancelled = await test.call(cancelOrder, { token: two.token, params: { id: second.id }, body: refund })
    expect(cancelled.status).toBe(200)
    const { refundedMinor } = await orderNow(test, two, second)
    await placeOrder(test, two)
    const report = await read()
    expect(report.totals.orders - before.totals.orders).toBe(3)
    expect(report.totals.parcels - before.totals.parcels).toBe(4)
    expect(report.totals.paidMinor - before.totals.paidMinor).toBe(first.totalMinor + second.totalMinor)
    expect(report.totals.refundedMinor).toBe(refundedMinor)
    expect(refundedMinor).toBeGreaterThan(0)
    expect(report.totals.spentMinor).toBe(report.totals.paidMinor - report.totals.refundedMinor)
    expect(report.step).toBe('month')
    expect(report.figures).toHaveLength(12)
    expect(report.figures.at(-1)?.spentMinor).toBe(report.totals.spentMinor)
    const day = await read({ from: today(), to: today() })
    expect(day).toMatchObject({ step: 'day', figures: [{ start: today(), orders: report.totals.orders }] })
    const { token } = await createStaff(test, { type: 'staff', role: 'account_manager' })
    const sheet = await test.call(exportDeploymentReport, { token, query: { format: 'csv' }, language: 'zh' })
    const lines = sheet.raw.toString().trim().split('\n')
    expect(lines).toHaveLength(14)
    expect(lines[0]).toContain('净收入（MYR）')
    expect(lines.at(-1)).toContain(`,${report.totals.orders},${report.totals.parcels},`)
    expect(sheet.headers['content-disposition']).toContain(`-${today()}.csv`)
    expect((await read({ from: '2020-01-01', to: '2020-01-31' })).totals.orders).toBe(0)
  })

  it('lists the stations with late parcels, most first, and counts deliveries of all accounts', async () => {
    const owner = await createPayer(test)
    const { rows } = await test.deps.pool.query<{ id: string; name: string }>(
      'select id, name from stations order by code limit 2',
    )
    const [few, many] = rows
    const yesterday = dayIn(later(test.clock.now(), -days(1)), 'Asia/Kuala_Lumpur')
    const longAgo = dayIn(later(test.clock.now(), -days(9)), 'Asia/Kuala_Lumpur')
    const createLateParcel = (
      station: string | undefined,
      promised: string,
      status: 'inbound' | 'completed' = 'inbound',
    ) =>
      createParcel(test, owner, {
        status,
        station_id: station ?? null,
        promised_date: promised,
        expected_date: today(),
      })
    await createLateParcel(few?.id, yesterday)
    await createLateParcel(many?.id, yesterday)
    await createLateParcel(many?.id, longAgo)
    // Neither a parcel that is due today nor one that has arrived.
    await createLateParcel(few?.id, today())
    await createLateParcel(few?.id, longAgo, 'completed')
    // A parcel with a carrier counts for the station that expects it.
    const coming = { station_id: null, next_station_id: many?.id ?? null, promised_date: yesterday }
    await createParcel(test, owner, { status: 'outbound', ...coming })
    const report = await read()
    expect(report.lateByStation).toEqual([
      { stationId: many?.id, name: many?.name, parcels: 3, oldestDay: longAgo },
      { stationId: few?.id, name: few?.name, parcels: 1, oldestDay: yesterday },
    ])
    expect(report.service.totals).toMatchObject({ delivered: 1, onTime: 0, late: 1 })
    const language = { locale: 'en' as const, t: test.deps.translations('en') }
    const pdf = await deploymentPdf(test.deps, {}, language)
    const text = (await openPaper(await readStream(pdf.file))).pages.map((page) => page.text).join(' ')
    for (const { name, parcels } of report.lateByStation) expect(text).toContain(`${name} ${parcels} `)
  })

  it('shows the money owed to senders by its age, and the part that riders hold', async () => {
    const owner = await createPayer(test)
    const collect = async (amountMinor: number, daysAgo: number, handedIn: boolean) => {
      const parcel = await createParcel(test, owner, { status: 'completed' })
      const at = later(test.clock.now(), -days(daysAgo))
      await test.deps.db
        .insertInto('cod_collections')
        .values({
          account_id: owner.accountId,
          parcel_id: parcel.id,
          amount_minor: amountMinor,
          currency: 'MYR',
          collected_by: owner.userId,
          collected_at: at,
          handed_in_at: handedIn ? at : null,
        })
        .execute()
    }
    await collect(1_000, 0, false)
    await collect(2_000, 7, true)
    await collect(4_000, 8, true)
    await collect(8_000, 30, true)
    await collect(16_000, 31, true)
    expect((await read()).cod).toEqual({
      parcels: 5,
      owedMinor: 31_000,
      withRidersMinor: 1_000,
      days0to7Minor: 3_000,
      days8to30Minor: 12_000,
      over30Minor: 16_000,
    })
  })

  it('is available to finance staff, and rejects a period that is too long', async () => {
    for (const role of ['normal_staff', 'inside_sales_representative', 'it_executive'] as const) {
      const { token } = await createStaff(test, { type: 'staff', role })
      expect((await test.call(exportDeploymentReport, { token })).status, role).toBe(403)
      expect((await test.call(reportDeployment, { token })).status, role).toBe(403)
    }
    const { token } = await createStaff(test, { type: 'staff', role: 'admin' })
    const query = { from: '2016-01-01', to: '2026-01-01' }
    const { status, error } = await test.call(reportDeployment, { token, query })
    expect([status, error.errors?.map(({ field }) => field)]).toEqual([422, ['from']])
  })
})
