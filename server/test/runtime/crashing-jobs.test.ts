/** Jobs whose process dies at every attempt. */
import { createDossier, getDossier } from '@waybill/contract/orders/dossier'
import { createReportFile, getReportFile, retryReportFile } from '@waybill/contract/reports/files'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobName } from '../../src/jobs/jobs.ts'
import { startJobs } from '../../src/jobs/runner.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { createParcel } from '../testing/factories/parcels.ts'

describe('a file whose process dies at every attempt', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    // No jobs run in the test's process until it starts them.
    test = await buildTestApp({ LOG_LEVEL: 'silent' }, { database: await createTestDatabase() })
    customer = await createCustomer(test)
  })

  /** As if so many attempts had ended with their process, and another process had then looked for their job. */
  const countAttempts = async (name: JobName, attempts: number) => {
    const { numAffectedRows } = await sql`
      update graphile_worker._private_jobs j set attempts = ${attempts}::int, run_at = now()
      from graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = ${name} and j.attempts < j.max_attempts`.execute(test.deps.db)
    expect(numAffectedRows).toBe(1n)
  }
  const listFailures = async () =>
    (
      await sql<{ task: string; error: string }>`
        select task_identifier as task, last_error as error from graphile_worker.jobs
        where attempts >= max_attempts`.execute(test.deps.db)
    ).rows
  const runJobs = async (isDone: () => Promise<unknown>) => {
    const jobs = await startJobs(test.deps, '')
    await expect.poll(isDone, { timeout: 15_000 }).toBe(true)
    await jobs.stop()
  }

  it('is shown as failed, and can be tried again: a report', async () => {
    const { token } = customer
    const { body: file } = await test.call(createReportFile, { token, body: { format: 'csv' } })
    const params = { id: file.id }
    const state = async () => (await test.call(getReportFile, { token, params })).body.state
    await sql`update report_files set state = 'running'`.execute(test.deps.db)
    await countAttempts('reports:make-file', 3)
    await runJobs(async () => (await listFailures()).length === 1)
    expect(await state()).toBe('failed')
    expect(await listFailures()).toEqual([
      { task: 'reports:make-file', error: 'The process ended during every attempt.' },
    ])
    expect((await test.call(retryReportFile, { token, params })).body.state).toBe('queued')
    // The last of the usual attempts still counts.
    await countAttempts('reports:make-file', 2)
    await runJobs(async () => (await state()) === 'ready')
  })

  it('is shown as failed: a dossier', async () => {
    const { token } = customer
    const { id: parcelId } = await createParcel(test, customer, { status: 'completed' })
    const body = { format: 'pdf' as const, parcelId, orderId: null, month: null }
    const { body: dossier } = await test.call(createDossier, { token, body })
    await countAttempts('orders:make-dossier', 3)
    const state = async () => (await test.call(getDossier, { token, params: { id: dossier.id } })).body.state
    expect(await state()).toBe('running')
    await runJobs(async () => (await state()) !== 'running')
    expect(await state()).toBe('failed')
    expect((await listFailures()).map(({ task }) => task)).toContain('orders:make-dossier')
  })
})
