/** Emails that a mail server refuses permanently end at once and are reported; temporary refusals are retried. */
import { register } from '@waybill/contract/accounts/sign-in'
import { listFailedWork, retryFailedWork } from '@waybill/contract/failed-work/failed-work'
import { putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addJob } from '../../src/jobs/jobs.ts'
import { days, minutes } from '../../src/lib/clock.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { newcomer } from '../testing/factories/newcomers.ts'
import { type MailgunPeer, startMailgunPeer } from '../testing/peers/mailgun.ts'
import { startStrictMailServer } from '../testing/peers/strict-mail-server.ts'

describe('a refused email', () => {
  const metrics = createMetrics()
  let test: TestApp
  let mailgun: MailgunPeer
  let token: string
  let engineer: Awaited<ReturnType<typeof createStaff>>
  beforeAll(async () => {
    mailgun = await startMailgunPeer()
    test = await buildTestApp({ MAILGUN_URL: mailgun.url, LOG_LEVEL: 'silent' }, { metrics })
    token = (await createStaff(test, { type: 'superadmin' })).token
    engineer = await createStaff(test, { role: 'it_executive' })
  })
  beforeEach(async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(test.deps.db)
    mailgun.next = null
  })

  const save = async (values: Record<string, unknown>) =>
    expect((await test.call(putSettings, { token, body: { values } })).status).toBe(200)
  const useSmtp = (port: number) => save({ 'mail.transport': 'generic', 'mail.host': '127.0.0.1', 'mail.port': port })
  const useMailgun = () =>
    save({ 'mail.transport': 'mailgun', 'mail.mailgunDomain': mailgun.domain, 'mail.mailgunKey': mailgun.key })
  const send = async (to: string, template = 'register_code') => {
    const vars = { name: 'Mei', code: '012345', minutes: 15, list: '', url: 'http://portal.test' }
    await addJob(test.deps.db, 'mail:send', { to, template, locale: 'en', vars })
  }
  /** The emails in the queue after their first attempt. */
  const listAttempted = async () => {
    const query = sql<{ attempts: number; max_attempts: number; last_error: string }>`
      select attempts, max_attempts, last_error
      from graphile_worker.jobs
      where task_identifier = 'mail:send' and last_error is not null and locked_at is null`
    return (await query.execute(test.deps.db)).rows
  }
  const readAttemptedMail = async () => {
    await expect.poll(async () => (await listAttempted()).length, { timeout: 10_000 }).toBe(1)
    return (await listAttempted())[0]
  }
  const listFailures = async () => (await test.call(listFailedWork, { token: engineer.token })).body.items

  it.each([
    ['recipient', '550 5.1.1 <***@example.test>: No such mailbox'],
    ['content', '554 5.7.1 Looks like spam'],
  ] as const)('ends immediately because of its %s, with the error of the server', async (refusal, words) => {
    await useSmtp(await startStrictMailServer(refusal))
    await send('nobody@example.test')
    expect(await readAttemptedMail()).toMatchObject({ attempts: 1, max_attempts: 1 })
    expect(await listFailures()).toEqual([expect.objectContaining({ kind: 'job', name: 'mail:send', attempts: 1 })])
    const error = (await listFailures())[0]?.error
    expect(error).toContain('register_code: ')
    expect(error).toContain(words)
  })

  it.each(['greylist', 'login', 'sender'] as const)('is retried because of %s', async (refusal) => {
    await useSmtp(await startStrictMailServer(refusal))
    if (refusal === 'login') await save({ 'mail.user': 'post', 'mail.password': 'wrong' })
    await send('mei@example.test')
    expect(await readAttemptedMail()).toMatchObject({ attempts: 1, max_attempts: 25 })
    expect(await listFailures()).toEqual([])
    await save({ 'mail.user': null, 'mail.password': null })
  })

  it('ends immediately if Mailgun refuses the address', async () => {
    await useMailgun()
    await send('nobody')
    expect(await readAttemptedMail()).toMatchObject({ attempts: 1, max_attempts: 1 })
    expect((await listFailures())[0]?.error).toContain('not a valid address')
  })

  it.each([
    [429, 'slow down'],
    [503, 'try again'],
    [401, 'Forbidden'],
    [404, 'Domain not found: mg.kurier.test'],
  ])('is retried if Mailgun returns %s', async (status, message) => {
    await useMailgun()
    mailgun.next = { status, message }
    await send('mei@example.test')
    expect(await readAttemptedMail()).toMatchObject({ attempts: 1, max_attempts: 25 })
    expect(await listFailures()).toEqual([])
  })

  it('gets all its attempts back if staff retry it', async () => {
    await useSmtp(await startStrictMailServer('recipient'))
    await send('later@example.test')
    await readAttemptedMail()
    // The mailbox exists now, and the server is temporarily busy.
    await useSmtp(await startStrictMailServer('greylist'))
    const items = (await listFailures()).map(({ kind, id }) => ({ kind, id }))
    await test.call(retryFailedWork, { token: engineer.token, body: { items } })
    const words = async () => (await readAttemptedMail())?.last_error
    await expect.poll(words, { timeout: 10_000 }).toContain('Greylisted')
    expect(await readAttemptedMail()).toMatchObject({ attempts: 1, max_attempts: 25 })
  })

  it('causes no further report if it is the report itself', async () => {
    await useSmtp(await startStrictMailServer('recipient'))
    await send('engineer@example.test', 'failed_work')
    await readAttemptedMail()
    await addJob(test.deps.db, 'failed-work:tell', {})
    await test.settle()
    const { rows } = await sql`select 1 from graphile_worker.jobs where task_identifier = 'mail:send'`.execute(
      test.deps.db,
    )
    expect(rows).toHaveLength(1)
    expect(await listFailures()).toHaveLength(1)
  })

  it('is dropped once its code has expired, whether staff retry it or the queue does', async () => {
    const people = [newcomer(), newcomer()] as const
    for (const [n, refusal] of (['recipient', 'greylist'] as const).entries()) {
      await useSmtp(await startStrictMailServer(refusal))
      expect((await test.call(register, { body: people[n] ?? newcomer() })).status).toBe(200)
      await expect.poll(async () => (await listAttempted()).length, { timeout: 10_000 }).toBe(n + 1)
    }
    const items = (await listFailures()).map(({ kind, id }) => ({ kind, id }))
    expect(items).toHaveLength(1)
    // Both mail servers would accept it now, but the code lives for 15 minutes.
    await save({ 'mail.host': null })
    test.clock.advance(minutes(15))
    const { token: fresh } = await createStaff(test, { role: 'it_executive' })
    expect((await test.call(retryFailedWork, { token: fresh, body: { items } })).body).toEqual({ retried: 1 })
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db)
    await test.settle()
    expect(await listAttempted()).toEqual([])
    expect(test.mailbox.mails().filter(({ to }) => people.some(({ email }) => to.includes(email)))).toEqual([])
    expect(await metrics.registry.metrics()).toContain('waybill_jobs_total{task="mail:send",outcome="dropped"} 2')
    test.clock.advance(-minutes(15))
  })

  it('is deleted after thirty days', async () => {
    await useSmtp(await startStrictMailServer('recipient'))
    await send('nobody@example.test')
    await readAttemptedMail()
    const sweep = async () => {
      await addJob(test.deps.db, 'housekeeping:sweep', {})
      await test.settle()
    }
    test.clock.advance(days(29))
    await sweep()
    expect(await listInNewSession()).toHaveLength(1)
    test.clock.advance(days(1.1))
    await sweep()
    expect(await listInNewSession()).toEqual([])
  })

  /** The sessions of earlier tests have expired at this point. */
  const listInNewSession = async () => {
    const { token: fresh } = await createStaff(test, { role: 'it_executive' })
    return (await test.call(listFailedWork, { token: fresh })).body.items
  }
})
