import type { BodyIn, QueryIn } from '@waybill/contract/ground/endpoint'
import {
  createReportFile,
  createStaffReportFile,
  downloadReportFile,
  downloadStaffReportFile,
  getReportFile,
  getStaffReportFile,
  listReportFiles,
  listStaffReportFiles,
  type ReportFile,
  removeReportFile,
  removeStaffReportFile,
  retryReportFile,
  retryStaffReportFile,
} from '@waybill/contract/reports/files'
import { reportOrders } from '@waybill/contract/reports/orders'
import { reportDeployment } from '@waybill/contract/reports/staff'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweepAttachments } from '../../../src/domains/attachments/jobs.ts'
import { makeReportFile, sweepReportFiles } from '../../../src/domains/reports/files/jobs.ts'
import { dayIn, days, later } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { readSheet } from '../../../src/lib/sheet/read.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, createStaff, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { openPaper } from '../../testing/paper.ts'

type Body = BodyIn<typeof createReportFile>
const march = { from: '2026-03-01', to: '2026-03-31' }

describe('reports as files', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  const insertOrders = (owner: TestCustomer, count: number) =>
    sql`insert into orders (account_id, id, number, created_by, status, currency, total_minor, paid_minor, lines,
      parcel_count, created_at)
      select ${owner.accountId}::uuid, gen_random_uuid(), 'F-' || ${newId()}::text || n, ${owner.userId}::uuid,
        'completed', 'MYR', 100, 100, '[]', 2, '2026-03-05T00:00:00Z'
      from generate_series(1, ${count}::int) n`.execute(test.deps.db)
  const begin = ({ token }: { token: string }, body: Body, language?: string) =>
    test.call(createReportFile, { token, body, language })
  const look = async ({ token }: { token: string }, { id }: { id: string }) =>
    (await test.call(getReportFile, { token, params: { id } })).body
  async function make(who: { token: string }, body: Body, language?: string): Promise<ReportFile> {
    const { status, body: file, error } = await begin(who, body, language)
    if (status !== 200) throw new Error(JSON.stringify(error))
    await test.settle()
    return look(who, file)
  }
  const download = ({ token }: { token: string }, { id }: { id: string }) =>
    test.call(downloadReportFile, { token, params: { id } })
  const countRows = async (bytes: Buffer) => {
    let rows = 0
    for await (const _ of readSheet(bytes, { rows: 100_000, bytes: 100_000_000, ratio: 1_000 })) rows += 1
    return rows
  }
  /** Runs `work` while the store refuses files. */
  async function withFullStore(work: () => Promise<void>): Promise<void> {
    const { files } = test.deps
    const { writeFile } = files
    files.writeFile = async () => {
      throw new Error('the disk is full')
    }
    try {
      await work()
    } finally {
      files.writeFile = writeFile
    }
  }

  it('waits, counts its rows and becomes ready, as PDF, Excel and CSV, in the language of the request', async () => {
    const customer = await createCustomer(test)
    await insertOrders(customer, 450)
    const created = await begin(customer, { format: 'xlsx', ...march })
    expect(created.body).toMatchObject({ state: 'queued', done: 0, total: 450, failure: null })
    await test.settle()
    const ready = await look(customer, created.body)
    const sheet = await download(customer, ready)
    expect(ready).toEqual({
      ...created.body,
      state: 'ready',
      done: 450,
      ...march,
      bytes: sheet.raw.length,
      expiresAt: later(new Date(ready.createdAt), days(7)).toISOString(),
    })
    expect(sheet.headers['content-disposition']).toBe('attachment; filename="orders-2026-03-01-2026-03-31.xlsx"')
    expect(sheet.headers['content-length']).toBe(String(sheet.raw.length))
    // The header and the totals are rows, too.
    expect(await countRows(sheet.raw)).toBe(452)

    const csv = await download(customer, await make(customer, { format: 'csv', ...march }, 'zh'))
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.raw.toString()).toContain('合计')
    const pdf = await download(customer, await make(customer, { format: 'pdf', ...march, status: 'pending' }))
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect((await openPaper(pdf.raw)).pages[0]?.text).toContain('No orders in this period')
  })

  it('shows how many rows are written while it is created', async () => {
    const customer = await createCustomer(test)
    await insertOrders(customer, 300)
    // This must be set before the job exists, because the server may run it immediately.
    await sql`create table seen_progress (state text, done integer)`.execute(test.deps.db)
    await sql`
      create function note_progress() returns trigger language plpgsql as $$
      begin insert into seen_progress values (new.state, new.done); return new; end $$`.execute(test.deps.db)
    await sql`
      create trigger note_progress after update on report_files for each row execute function note_progress()`.execute(
      test.deps.db,
    )
    const { files } = test.deps
    const { writeFile } = files
    let running: ReportFile | undefined
    let id = ''
    const created = Promise.withResolvers<void>()
    files.writeFile = async (...args: Parameters<typeof writeFile>) => {
      await created.promise
      running = await look(customer, { id })
      await writeFile.apply(files, args)
    }
    id = (await begin(customer, { format: 'csv', ...march })).body.id
    created.resolve()
    await test.settle()
    files.writeFile = writeFile
    await sql`drop trigger note_progress on report_files`.execute(test.deps.db)
    expect(running).toMatchObject({ state: 'running', done: 300, total: 300 })
    const { rows } = await sql<{ state: string; done: number }>`select * from seen_progress`.execute(test.deps.db)
    const counts = rows.filter(({ state }) => state === 'running').map(({ done }) => done)
    expect(counts).toEqual(Array.from({ length: 101 }, (_, n) => n * 3))
    expect(rows.at(-1)).toEqual({ state: 'ready', done: 300 })
  })

  it('has the same filters, errors and access rules as the report', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const clerk = await createMember(test, company, ['reports'])
    const outsider = await createMember(test, company, ['parcels.create'])
    await insertOrders(company, 3)
    await insertOrders(clerk, 1)
    expect((await make(company, { format: 'csv', ...march, createdBy: clerk.userId })).total).toBe(1)
    expect((await make(company, { format: 'csv', ...march })).total).toBe(4)
    const own = await make(clerk, { format: 'csv', ...march })
    expect([own.total, await countRows((await download(clerk, own)).raw)]).toEqual([1, 3])
    expect((await begin(clerk, { format: 'csv', createdBy: company.userId })).status).toBe(404)
    expect((await begin(outsider, { format: 'csv' })).status).toBe(403)
    const long = await begin(company, { format: 'pdf', from: '2016-01-01', to: '2026-01-01' })
    expect([long.status, long.error.errors?.map(({ field }) => field)]).toEqual([422, ['from']])
    expect((await begin(company, { format: 'zip' as never })).error.errors?.map(({ field }) => field)).toEqual([
      'format',
    ])
    // Without filters, the screen shows the last twelve months including today.
    const today = dayIn(test.clock.now(), 'Asia/Kuala_Lumpur')
    const { headers } = await download(company, await make(company, { format: 'csv' }))
    expect(headers['content-disposition']).toContain(`-${today}.csv`)
    const { total } = (await test.call(reportOrders, { token: company.token })).body
    expect((await make(company, { format: 'csv' })).total).toBe(total)
  })

  it('belongs to one user, and is no longer available after that user loses access to the orders', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const auditor = await createMember(test, company, ['reports', 'parcels.view_all'])
    const stranger = await createCustomer(test)
    const { token: admin } = await createStaff(test, { type: 'staff', role: 'admin' })
    const file = await make(auditor, { format: 'csv' })
    const params = { id: file.id }
    for (const { token } of [company, stranger])
      for (const endpoint of [getReportFile, retryReportFile, downloadReportFile, removeReportFile])
        expect((await test.call(endpoint, { token, params })).status).toBe(404)
    for (const endpoint of [getStaffReportFile, retryStaffReportFile, downloadStaffReportFile])
      expect((await test.call(endpoint, { token: admin, params })).status).toBe(404)
    expect((await download(auditor, file)).status).toBe(200)
    const { id } = await make(company, { format: 'csv' })
    const restrictedMember = await createMember(test, company, ['reports'])
    await sql`update report_files set created_by = ${restrictedMember.userId}::uuid where id = ${id}::uuid`.execute(
      test.deps.db,
    )
    expect((await download(restrictedMember, { id })).status).toBe(404)
  })

  it('reports why it failed, and can be restarted', async () => {
    const customer = await createCustomer(test)
    let params = { id: '' }
    const retry = () => test.call(retryReportFile, { token: customer.token, params })
    await withFullStore(async () => {
      const failed = await make(customer, { format: 'pdf', ...march })
      expect(failed).toMatchObject({ state: 'failed', failure: 'storing', done: 0, total: 0 })
      params = { id: failed.id }
      expect((await download(customer, params)).error.code).toBe('report_not_ready')
      expect((await retry()).body).toMatchObject({ id: failed.id, state: 'queued', failure: null })
      await test.settle()
      expect(await look(customer, params)).toMatchObject({ state: 'failed', failure: 'storing' })
      // The scheduled retry is replaced, so one job remains.
      const jobs = await sql`select 1 from graphile_worker.jobs where key = ${`report ${params.id}`}`.execute(
        test.deps.db,
      )
      expect(jobs.rows).toHaveLength(1)
    })
    expect((await retry()).body.state).toBe('queued')
    await test.settle()
    expect(await look(customer, params)).toMatchObject({ state: 'ready', failure: null })
    expect((await retry()).body.state).toBe('ready')
    expect((await download(customer, params)).status).toBe(200)
  })

  it('names a report that could not be written, and is not created twice', async () => {
    const customer = await createCustomer(test)
    const { id } = await make(customer, { format: 'csv', ...march })
    // As if the user had been deleted before the job ran.
    const filters = JSON.stringify({ ...march, createdBy: newId() })
    await sql`
      update report_files
      set state = 'queued', name = null, storage_key = null, bytes = null, filters = ${filters}::jsonb
      where id = ${id}::uuid`.execute(test.deps.db)
    await expect(makeReportFile(test.deps, { fileId: id })).rejects.toThrow('not_found')
    expect(await look(customer, { id })).toMatchObject({ state: 'failed', failure: 'writing' })
    const ready = await make(customer, { format: 'csv' })
    await withFullStore(() => makeReportFile(test.deps, { fileId: ready.id }))
    expect((await look(customer, ready)).state).toBe('ready')
  })

  it('is deleted with its file after a week', async () => {
    const customer = await createCustomer(test)
    const file = await make(customer, { format: 'csv' })
    const { rows } = await sql<{ storage_key: string }>`
      select storage_key from report_files where id = ${file.id}::uuid`.execute(test.deps.db)
    const key = rows[0]?.storage_key ?? ''
    test.clock.advance(days(7) - 60_000)
    await sweepReportFiles(test.deps)
    await sweepAttachments(test.deps)
    const content = await test.deps.files.read(key)
    content?.destroy()
    expect(content).not.toBeNull()
    test.clock.advance(61_000)
    await sweepReportFiles(test.deps)
    await sweepAttachments(test.deps)
    expect(await test.deps.files.read(key)).toBeNull()
    expect((await sql`select 1 from report_files where id = ${file.id}::uuid`.execute(test.deps.db)).rows).toEqual([])
  })

  it('is listed for its user until it is removed with its file, or a week is over', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const colleague = await createMember(test, company, ['reports', 'parcels.view_all'])
    const files: string[] = []
    for (const format of ['csv', 'pdf', 'xlsx'] as const) files.unshift((await make(company, { format })).id)
    await make(colleague, { format: 'csv' })
    const list = async (query: QueryIn<typeof listReportFiles> = {}) =>
      (await test.call(listReportFiles, { token: company.token, query })).body
    const [first, second] = [
      await list({ limit: 2 }),
      await list({ limit: 2, after: (await list({ limit: 2 })).next ?? '' }),
    ]
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(files)
    expect([first.total, second.next]).toEqual([3, null])
    expect(first.items[0]).toMatchObject({ format: 'xlsx', state: 'ready', bytes: expect.any(Number) })

    const [removed = '', expired = ''] = files
    const getKey = async (id: string) =>
      (
        await sql<{ storage_key: string }>`select storage_key from report_files where id = ${id}::uuid`.execute(
          test.deps.db,
        )
      ).rows[0]?.storage_key ?? ''
    const key = await getKey(removed)
    const remove = (token: string) => test.call(removeReportFile, { token, params: { id: removed } })
    expect((await remove(colleague.token)).status).toBe(404)
    expect((await remove(company.token)).status).toBe(200)
    expect((await remove(company.token)).status).toBe(404)
    expect(await test.deps.files.read(key)).toBeNull()
    await sql`update report_files set created_at = created_at - interval '7 days' where id = ${expired}::uuid`.execute(
      test.deps.db,
    )
    expect((await list()).items.map(({ id }) => id)).toEqual(files.slice(2))
  })

  it('leaves no file if it is removed while it is created', async () => {
    const customer = await createCustomer(test)
    const { files } = test.deps
    const { writeFile } = files
    const keys: string[] = []
    const created = Promise.withResolvers<string>()
    files.writeFile = async (key, path) => {
      await writeFile.call(files, key, path)
      keys.push(key)
      const params = { id: await created.promise }
      expect((await test.call(removeReportFile, { token: customer.token, params })).status).toBe(200)
    }
    created.resolve((await begin(customer, { format: 'csv' })).body.id)
    await test.settle()
    files.writeFile = writeFile
    expect(keys).toHaveLength(1)
    expect(await test.deps.files.read(keys[0] ?? '')).toBeNull()
    expect((await test.call(listReportFiles, { token: customer.token })).body.items).toEqual([])
  })

  it('is limited to sixty an hour per account', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['reports'])
    const answers = []
    for (let n = 0; n < 60; n += 1) answers.push((await begin(n % 2 ? company : member, { format: 'csv' })).status)
    expect(answers.every((status) => status === 200)).toBe(true)
    const refusal = await begin(member, { format: 'csv' })
    expect([refusal.status, refusal.error.code]).toEqual([429, 'report_quota'])
    expect((await begin(await createCustomer(test), { format: 'csv' })).status).toBe(200)
  })

  it('has the figures of all accounts for staff, as PDF and spreadsheet', async () => {
    const { token } = await createStaff(test, { type: 'staff', role: 'account_manager' })
    const { token: colleague } = await createStaff(test, { type: 'staff', role: 'account_manager' })
    const { token: scanner } = await createStaff(test, { type: 'staff', role: 'normal_staff' })
    const body = { format: 'pdf' as const, ...march }
    expect((await test.call(createStaffReportFile, { token: scanner, body })).status).toBe(403)
    const { body: created } = await test.call(createStaffReportFile, { token, body })
    expect(created).toMatchObject({ state: 'queued', total: 31 })
    await test.settle()
    const params = { id: created.id }
    const ready = await test.call(getStaffReportFile, { token, params })
    expect(ready.body).toMatchObject({ state: 'ready', done: 31, total: 31 })
    const { raw, headers } = await test.call(downloadStaffReportFile, { token, params })
    expect(headers['content-disposition']).toContain('revenue-2026-03-01-2026-03-31.pdf')
    const text = (await openPaper(raw)).pages.map((page) => page.text).join(' ')
    const { totals } = (await test.call(reportDeployment, { token, query: march })).body
    expect(totals.orders).toBeGreaterThan(700)
    for (const words of ['Net revenue', 'Promise kept', 'Cash on delivery owed to senders', String(totals.orders)])
      expect(text.replaceAll(',', '')).toContain(words)
    for (const endpoint of [getStaffReportFile, retryStaffReportFile, downloadStaffReportFile, removeStaffReportFile])
      expect((await test.call(endpoint, { token: colleague, params })).status).toBe(404)
    const list = async (who: string) => (await test.call(listStaffReportFiles, { token: who })).body.items
    expect([(await list(token)).map(({ id }) => id), await list(colleague)]).toEqual([[created.id], []])
    expect((await test.call(removeStaffReportFile, { token, params })).status).toBe(200)
    expect(await list(token)).toEqual([])

    const sheet = await test.call(createStaffReportFile, { token, body: { ...march, format: 'csv' }, language: 'zh' })
    await test.settle()
    const csv = await test.call(downloadStaffReportFile, { token, params: { id: sheet.body.id } })
    expect(csv.raw.toString().trim().split('\n')).toHaveLength(33)
    expect(csv.raw.toString()).toContain('净收入（MYR）')
    const long = { format: 'pdf' as const, from: '2016-01-01', to: '2026-01-01' }
    expect((await test.call(createStaffReportFile, { token, body: long })).status).toBe(422)
  })
})
