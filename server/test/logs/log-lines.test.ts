/** The log on standard output says what failed, but not whose data it was. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { register } from '@waybill/contract/accounts/sign-in'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { errorFields, maskAddresses } from '../../src/lib/text/log-fields.ts'
import { afterUse } from '../testing/after-use.ts'
import { createTestDatabase } from '../testing/database.ts'
import { newcomer } from '../testing/factories/newcomers.ts'
import { startStrictMailServer } from '../testing/peers/strict-mail-server.ts'
import { startServerProcess } from '../testing/server-process.ts'

it('has no data of the row that broke a constraint, and no address that a mail server refused', async () => {
  const { db, url } = await createTestDatabase()
  const port = await startStrictMailServer('recipient')
  const dataDir = await mkdtemp(join(tmpdir(), 'waybill-log-'))
  const server = startServerProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    DEMO: 'off',
  })
  afterUse(async () => {
    server.child.kill('SIGTERM')
    await server.ended
    await rm(dataDir, { recursive: true, force: true })
  })
  const origin = await server.ready()
  const person = newcomer({ name: 'Hidden Person', email: 'hidden.person@example.test', phone: '+60198765432' })
  const send = () =>
    fetch(new URL(register.path, origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    })

  await sql`alter table one_time_codes add constraint forced_refusal check (purpose <> 'register')`.execute(db)
  expect((await send()).status).toBe(500)
  await expect.poll(server.output).toContain('violates check constraint \\"forced_refusal\\"')
  await sql`alter table one_time_codes drop constraint forced_refusal`.execute(db)
  expect((await send()).status).toBe(200)
  const answer = '5.1.1 <***@example.test>: No such mailbox'
  await expect.poll(server.output, { timeout: 10_000 }).toContain(answer)

  expect(server.output()).not.toMatch(/hidden.person|Failing row|198765432/i)
  // The log line is written before the job's failure is stored.
  const listErrors = async () => {
    const { rows } = await sql`
      select last_error from graphile_worker.jobs where task_identifier = 'mail:send'`.execute(db)
    return rows
  }
  await expect.poll(listErrors).toEqual([{ last_error: expect.stringContaining(answer) }])
})

it.each([
  ['550 <mei@example.test>: unknown', '550 <***@example.test>: unknown'],
  ['unknown: Mei.Ling+parcels@mail.example.test', 'unknown: ***@mail.example.test'],
  ['to "mei ling"@例子.test, 美玲@example.test', 'to ***@例子.test, ***@example.test'],
  ['smtp://user:secret@mail.test:25', 'smtp://user:***@mail.test:25'],
  ['at file:///app/node_modules/@scope/index.js:1', 'at file:///app/node_modules/@scope/index.js:1'],
])('masks the addresses in %s', (text, masked) => {
  expect(maskAddresses(text)).toBe(masked)
})

it('has the causes of an error, and of several', () => {
  const inner = Object.assign(new Error('no mail to mei@example.test'), {
    code: '23514',
    detail: 'Failing row',
    where: 'x',
  })
  const fields = errorFields(new AggregateError([inner], 'one failed', { cause: inner }))
  expect(fields).toMatchObject({
    type: 'AggregateError',
    message: 'one failed',
    cause: { type: 'Error', message: 'no mail to ***@example.test', code: '23514' },
    errors: [{ message: 'no mail to ***@example.test' }],
  })
  expect(JSON.stringify(fields)).not.toMatch(/Failing row|mei@|where/)
})
