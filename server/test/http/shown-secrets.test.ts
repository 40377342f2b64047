/** Answers with a secret that is shown once: a request whose answer was lost gets it again, and no table has it. */
import { createAddressRequest } from '@waybill/contract/addresses/requests'
import { createApiKey } from '@waybill/contract/integrations/api-keys'
import { createWebhook, rotateWebhookSecret } from '@waybill/contract/integrations/webhooks'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { setWalletPin, testPin } from '../testing/factories/wallet.ts'
import { secondProcess } from '../testing/second-process.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp({ WEBHOOK_TARGETS: 'any' })
})

const url = 'http://127.0.0.1:9/hook'

async function newWebhook(owner: TestCustomer): Promise<string> {
  const body = { url, events: ['order.paid' as const] }
  return (await test.call(createWebhook, { token: owner.token, body })).body.webhook.id
}

type Sent = { status: number; error?: { code: string }; secret?: string; answer: unknown }
/** Sends requests of one kind for an owner. `change` makes another request of them. */
type Sender = (key: string | null, change?: 'changed') => Promise<Sent>

const toHeaders = (key: string | null): Record<string, string> => (key === null ? {} : { 'idempotency-key': key })

const senders: Record<string, (owner: TestCustomer) => Promise<Sender>> = {
  [createApiKey.id]: async (owner) => async (key, change) => {
    const body = { name: change ?? 'Shop', scopes: ['parcels' as const] }
    const {
      status,
      body: answer,
      error,
    } = await test.call(createApiKey, {
      token: owner.token,
      headers: toHeaders(key),
      body,
    })
    return { status, answer, error, secret: answer?.secret }
  },
  [createWebhook.id]: async (owner) => async (key, change) => {
    const body = { url, events: [change ? ('parcel.moved' as const) : ('order.paid' as const)] }
    const {
      status,
      body: answer,
      error,
    } = await test.call(createWebhook, {
      token: owner.token,
      headers: toHeaders(key),
      body,
    })
    return { status, answer, error, secret: answer?.secret }
  },
  [rotateWebhookSecret.id]: async (owner) => {
    const [id, other] = [await newWebhook(owner), await newWebhook(owner)]
    return async (key, change) => {
      const {
        status,
        body: answer,
        error,
      } = await test.call(rotateWebhookSecret, {
        token: owner.token,
        headers: toHeaders(key),
        params: { id: change ? other : id },
      })
      return { status, answer, error, secret: answer?.secret }
    }
  },
  [createAddressRequest.id]: async (owner) => async (key, change) => {
    const {
      status,
      body: answer,
      error,
    } = await test.call(createAddressRequest, {
      token: owner.token,
      headers: toHeaders(key),
      body: { label: change ?? 'Aunt Farah' },
    })
    return { status, answer, error, secret: answer?.url?.split('/').at(-1) }
  },
}

/** The actions of an account in the activity log: each of these calls writes one entry. */
async function countActions({ accountId }: TestCustomer): Promise<number> {
  const rows = await test.deps.db.selectFrom('activity_log').select('id').where('account_id', '=', accountId).execute()
  return rows.length
}

/** The tables with a row that contains this text. */
async function findTables(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(test.deps.db)
  const names: string[] = []
  for (const { name } of rows) {
    const match = await sql`
      select 1 from ${sql.raw(name)} t where strpos(t::text, ${text}) > 0 limit 1`.execute(test.deps.db)
    if (match.rows.length > 0) names.push(name)
  }
  return names
}

describe('a secret that is shown once', () => {
  it('is tested here for every call that shows one', () => {
    const calls = test.app.routes.flatMap(({ endpoint }) => (endpoint?.showsSecret ? [endpoint.id] : []))
    expect([...new Set(calls)].sort()).toEqual(Object.keys(senders).sort())
  })

  it.each(Object.entries(senders))(
    '%s shows it again to a repeated request, and does the work once',
    async (_id, prepare) => {
      const owner = await createCustomer(test)
      const send = await prepare(owner)
      const before = await countActions(owner)
      const first = await send('lost-answer')
      expect(first.status).toBe(200)
      expect(first.secret).toMatch(/[\w-]{43}$/)
      expect((await send('lost-answer')).answer).toEqual(first.answer)
      expect(await countActions(owner)).toBe(before + 1)
      expect(await send('lost-answer', 'changed')).toMatchObject({
        status: 409,
        error: { code: 'idempotency_conflict' },
      })
      expect(await countActions(owner)).toBe(before + 1)
      const other = await send('another-key')
      expect(other.secret).not.toBe(first.secret)
      expect(await countActions(owner)).toBe(before + 2)
    },
  )

  it.each(Object.entries(senders))(
    '%s does the work once if both requests arrive at the same moment',
    async (_id, prepare) => {
      const owner = await createCustomer(test)
      const send = await prepare(owner)
      const before = await countActions(owner)
      const [one, two] = await Promise.all([send('same-moment'), send('same-moment')])
      expect(one.status).toBe(200)
      expect(two.answer).toEqual(one.answer)
      expect(await countActions(owner)).toBe(before + 1)
    },
  )

  it.each(Object.entries(senders))('%s leaves it in no table, also not under its key', async (id, prepare) => {
    const send = await prepare(await createCustomer(test))
    const { secret } = await send('table-reader')
    expect(secret).toBeDefined()
    expect(await findTables(secret as string)).toEqual([])
    // Without this the search could be one that never finds anything.
    const row = await test.deps.db
      .selectFrom('idempotency_keys')
      .select('response')
      .where('key', '=', 'table-reader')
      .where('endpoint', '=', id)
      .executeTakeFirstOrThrow()
    expect(await findTables(String(row.response))).toEqual(['public.idempotency_keys'])
  })
})

describe('an API key that may pay', () => {
  it('is shown again only with the right PIN, and wrong ones are counted', async () => {
    const owner = await createCustomer(test)
    await setWalletPin(test, owner)
    const send = (pin: string) =>
      test.call(createApiKey, {
        token: owner.token,
        headers: toHeaders('with-a-pin'),
        body: { name: 'Pays', scopes: ['payments'], dailyLimitMinor: 5_000, pin },
      })
    const first = await send(testPin)
    expect(first.status).toBe(200)
    expect((await send(testPin)).body).toEqual(first.body)
    for (const attemptsLeft of [4, 3, 2, 1])
      expect((await send('305817')).error).toMatchObject({ code: 'pin_wrong', details: { attemptsLeft } })
    expect((await send('305817')).error.code).toBe('pin_locked')
    expect((await send(testPin)).error.code).toBe('pin_locked')
  })
})

describe('a new SECRET_KEY', () => {
  const keys = { before: 'the key of before, long enough for a test', now: 'the key of now, also long enough for it' }

  it('shows an answer of the previous key again while that key is configured', async () => {
    const rotated = await buildTestApp({ SECRET_KEY: keys.before })
    const { token } = await createCustomer(rotated)
    const body = { name: 'Shop', scopes: ['parcels' as const] }
    const headers = toHeaders('before-rotation')
    const first = await rotated.call(createApiKey, { token, headers, body })
    const app = await secondProcess(rotated, { secretKey: keys.now, previousSecretKeys: [keys.before] })
    const answer = await app.inject({
      method: 'POST',
      url: createApiKey.path,
      headers: { ...headers, authorization: `Bearer ${token}` },
      payload: body,
    })
    expect(answer.json()).toEqual(first.body)
  })
})
