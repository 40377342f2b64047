import { join } from 'node:path'
import { login, register } from '@waybill/contract/accounts/sign-in'
import { errorBody } from '@waybill/contract/ground/errors'
import { getGeneralSettings, getOptions, getSelector, putSettings } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'zod/mini'
import { buildApp } from '../../src/app.ts'
import { createDb, createPool } from '../../src/db/pool.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff } from '../testing/factories/accounts.ts'
import { newcomer } from '../testing/factories/newcomers.ts'
import { startWire } from '../testing/peers/wire.ts'

describe('errors', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })

  const post = (payload: string | Buffer, type = 'application/json') =>
    test.app.inject({ method: 'POST', url: login.path, headers: { 'content-type': type }, payload })

  it.each([
    ['a body that is not JSON', () => post('{"email": '), 400, 'malformed'],
    ['an empty body', () => post(''), 400, 'malformed'],
    ['a body that is not an object', () => post('"text"'), 422, 'validation'],
    ['a prototype in the body', () => post('{"__proto__": {"x": 1}}'), 400, 'malformed'],
    ['an unsupported media type', () => post('<a/>', 'application/xml'), 415, 'unsupported_media'],
    ['a body of more than a megabyte', () => post(`"${'x'.repeat(1_100_000)}"`), 413, 'too_large'],
    ['a path that is not UTF-8', () => test.app.inject('/api/customer/selectors/%ff'), 400, 'malformed'],
    ['a body nested a hundred thousand deep', () => post('['.repeat(1e5) + ']'.repeat(1e5)), 422, 'validation'],
    ['an unknown call', () => test.app.inject({ method: 'DELETE', url: login.path }), 404, 'not_found'],
  ] as const)('have the standard body for %s', async (_what, ask, status, code) => {
    const answer = await ask()
    expect(answer.statusCode).toBe(status)
    expect(parse(errorBody, answer.json())).toMatchObject({ statusCode: status, code })
    expect(answer.headers['content-type']).toContain('application/json')
    expect(answer.body).not.toMatch(/node_modules|\bat \w+ \(|<html/)
  })

  it('name invalid fields that are deep, huge or of the wrong type, and are never 500', async () => {
    let place = 0
    const invalidValues: unknown[] = [
      null,
      1,
      [],
      {},
      'x'.repeat(100_000),
      { a: { b: { c: [] } } },
      '\u0000',
      "'; drop table users; --",
    ]
    for (const value of invalidValues) {
      for (const field of ['email', 'name', 'password', 'userType', 'phone', 'language', 'companyName'] as const) {
        const body = { ...newcomer(), [field]: value } as never
        const answer = await test.app.inject({
          method: 'POST',
          url: register.path,
          payload: body,
          remoteAddress: `10.7.0.${++place}`,
        })
        expect([200, 422], `${field}: ${JSON.stringify(value).slice(0, 40)}`).toContain(answer.statusCode)
      }
    }
  })

  it('name a field with text that the database cannot store', async () => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    for (const text of ['nul \u0000 byte', 'half \ud83d pair']) {
      const answer = await test.call(putSettings, { token, body: { values: { 'company.address': text } } })
      expect(answer).toMatchObject({ status: 422, error: { errors: [{ field: 'values.company.address' }] } })
      const key = await test.call(putSettings, { token, body: { values: { [text]: true } } })
      expect(key.status).toBe(422)
      const query = await test.call(getSelector, { params: { name: 'banks' }, query: { search: text } })
      expect(query.status).toBeLessThan(500)
    }
  })

  it('are 503 with Retry-After while the database is down, until it is back', async () => {
    const wire = await startWire(test.databaseUrl)
    const pool = createPool(wire.url, { max: 4 })
    const { config } = test.deps
    const app = await buildApp({ config, pool, db: createDb(pool), databaseUrl: wire.url, smtpUrl: test.mailbox.url })
    const ask = () =>
      app.inject({ method: 'POST', url: login.path, payload: { email: 'a@example.test', password: 'wrong password' } })
    expect((await ask()).statusCode).toBe(401)
    await wire.cut()
    const away = await ask()
    expect(away.statusCode).toBe(503)
    expect(away.json()).toMatchObject({ statusCode: 503, code: 'unavailable' })
    expect(Number(away.headers['retry-after'])).toBeGreaterThan(0)
    expect((await app.inject('/readyz')).statusCode).toBe(503)
    // Calls without the database are still answered.
    expect((await app.inject('/healthz')).statusCode).toBe(200)
    expect((await app.inject(getGeneralSettings.path)).statusCode).toBe(200)
    await wire.mend()
    await expect.poll(async () => (await ask()).statusCode, { timeout: 10_000 }).toBe(401)
    await app.close()
    await pool.end()
    await wire.stop()
  })

  it.each([
    ['the disk is full', '53100'],
    ['the memory is full', '53200'],
    ['the disk fails', '58030'],
    ['the database is read-only', '25006'],
    ['a lock takes too long', '55P03'],
    ['a statement takes too long', '57014'],
  ])('are 503 with Retry-After while %s', async (_, code) => {
    const { token } = await createStaff(test, { type: 'superadmin' })
    await sql`create function refuse() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception 'refused' using errcode = '${code}'; end`)}`.execute(test.deps.db)
    await sql`create trigger refuse before insert or update on settings execute function refuse()`.execute(test.deps.db)
    const answer = await test.call(putSettings, { token, body: { values: { 'company.name': 'Kurier' } } })
    await sql`drop function refuse cascade`.execute(test.deps.db)
    expect(answer).toMatchObject({ status: 503, error: { code: 'unavailable' } })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('make the server not ready while the database is read-only', async () => {
    const { db } = test.deps
    const ready = async () => (await test.app.inject('/readyz')).statusCode
    expect(await ready()).toBe(200)
    const readOnly = (value: string) =>
      db
        .transaction()
        .setAccessMode('read write')
        .execute(async (trx) => {
          const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(trx)
          await sql`alter database ${sql.id(rows[0]?.name ?? '')}
            set default_transaction_read_only = ${sql.lit(value)}`.execute(trx)
        })
    // Only new connections follow the setting, so a separate connection ends all others.
    const reconnect = async (value: string) => {
      const client = new pg.Client({ connectionString: test.deps.databaseUrl })
      await client.connect()
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'waybill test'`)
      await client.end()
      const show = () =>
        sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(db).then(
          ({ rows }) => rows[0]?.transaction_read_only,
          () => null,
        )
      await expect.poll(show, { timeout: 10_000 }).toBe(value)
    }
    await readOnly('on')
    await reconnect('on')
    await expect.poll(ready, { timeout: 10_000 }).toBe(503)
    await readOnly('off')
    await reconnect('off')
    await expect.poll(ready, { timeout: 10_000 }).toBe(200)
  })

  it('make the server not ready while the file folder is not writable', async () => {
    const { config, pool, db } = test.deps
    const { databaseUrl, mailbox } = test
    const dataDir = join(import.meta.filename, 'below')
    const app = await buildApp({ config: { ...config, dataDir }, pool, db, databaseUrl, smtpUrl: mailbox.url })
    onTestFinished(() => app.close())
    expect((await app.inject('/readyz')).statusCode).toBe(503)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
  })
})

describe('rate limits', () => {
  it('report the rest, and reject further requests with Retry-After', async () => {
    const test = await buildTestApp({ REQUESTS_PER_MINUTE: '20' })
    const first = await test.call(getOptions)
    expect(first.headers['x-ratelimit-limit']).toBe('20')
    expect(first.headers['x-ratelimit-remaining']).toBe('19')
    const statuses: number[] = []
    for (let each = 0; each < 22; each += 1) statuses.push((await test.call(getOptions)).status)
    expect(statuses.slice(0, 19).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    const refusal = await test.call(getSelector, { params: { name: 'banks' }, language: 'zh' })
    expect(refusal).toMatchObject({ status: 429, error: { code: 'too_many_requests' } })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
    expect(refusal.error.message).toMatch(/[一-鿿]/)
    // A signed-in user is counted per user, not together with others of the same IP address.
    const { token } = await createStaff(test)
    expect((await test.call(getOptions, { token })).status).toBe(200)
  })
})
