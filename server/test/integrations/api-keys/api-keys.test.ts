import { createAddress } from '@waybill/contract/addresses/addresses'
import { createApiKey, listApiKeys, maxApiKeys, revokeApiKey } from '@waybill/contract/integrations/api-keys'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { getSelector } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/jobs/housekeeping.ts'
import { days, later, minutes } from '../../../src/lib/clock.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, everyPermission, type TestCustomer } from '../../testing/factories/accounts.ts'
import { addressBody } from '../../testing/factories/addresses.ts'
import { everyScope, createApiKey as insertApiKey } from '../../testing/factories/api-keys.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createParcel } from '../../testing/factories/parcels.ts'
import { fundWallet, setWalletPin, sumBooks, testPin } from '../../testing/factories/wallet.ts'
import { secondProcess } from '../../testing/second-process.ts'

describe('API keys', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
  })

  const create = (customer: TestCustomer, body: Partial<Parameters<typeof buildBody>[0]> = {}) =>
    test.call(createApiKey, { token: customer.token, body: buildBody(body) })
  const buildBody = (body: {
    name?: string
    scopes?: ('parcels' | 'payments' | 'addresses')[]
    expiresAt?: string
    dailyLimitMinor?: number
    pin?: string
  }) => ({ name: 'Shop', scopes: ['parcels' as const], ...body })

  /** A customer with credits, an order to pay, and a key that may pay up to `limit` a day. */
  async function payer(limit: number) {
    const customer = await createCustomer(test)
    await fundWallet(test, customer, 1_000_000)
    await setWalletPin(test, customer)
    const order = await placeOrder(test, customer)
    const { id, secret } = await insertApiKey(test, customer, ['payments'], { daily_limit_minor: limit })
    const pay = (of = order, token = secret, pin?: string) =>
      test.call(payWithCredits, {
        token,
        params: { id: of.id },
        body: { expectedTotalMinor: of.totalMinor, ...(pin === undefined ? {} : { pin }) },
      })
    return { customer, order, id, secret, pay }
  }

  it('shows a key once, stores only its hash, and lists keys with their prefix, scopes and creator', async () => {
    const { status, body } = await create(owner, { name: 'Web shop' })
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^wb_[\w-]{43}$/)
    expect(body.apiKey).toMatchObject({ name: 'Web shop', scopes: ['parcels'], status: 'active', lastUsedAt: null })
    const list = await test.call(listApiKeys, { token: owner.token })
    const [key] = list.body.items
    expect(key).toEqual(body.apiKey)
    expect(key?.createdBy).toMatch(/^Customer/)
    expect(body.secret.startsWith(key?.prefix ?? 'x')).toBe(true)
    expect(key?.prefix.length).toBeLessThan(12)
    const { rows } = await sql<{ row: string }>`select api_keys::text as row from api_keys`.execute(test.deps.db)
    const { rows: log } = await sql<{ row: string }>`
      select activity_log::text as row from activity_log`.execute(test.deps.db)
    const content = [...rows, ...log].map(({ row }) => row).join('\n')
    expect(content).toContain('Web shop')
    expect(content).not.toContain(body.secret.slice(12))
    expect(JSON.stringify(list.body)).not.toContain(body.secret.slice(12))
  })

  it('lets a key see the parcels of all users of its account, but none of other accounts', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createCustomer(test, { userType: 'corporate', accountId: company.accountId, isOwner: false })
    const parcel = await createParcel(test, member)
    const foreign = await createParcel(test, owner)
    const { secret } = await insertApiKey(test, company, ['parcels'])
    expect((await test.call(getParcel, { token: secret, params: { id: parcel.id } })).body.id).toBe(parcel.id)
    expect((await test.call(getParcel, { token: secret, params: { id: foreign.id } })).status).toBe(404)
    const list = await test.call(listParcels, { token: secret })
    expect(list.body.items.map(({ id }) => id)).toEqual([parcel.id])
  })

  it('refuses calls outside the scopes of a key with its own error, even calls open to visitors', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const { secret } = await insertApiKey(test, company, ['addresses'])
    const parcels = await test.call(listParcels, { token: secret })
    expect(parcels).toMatchObject({ status: 403, error: { code: 'forbidden' } })
    expect(parcels.error.message).toContain('API key')
    const users = { params: { name: 'corporate-users' } }
    expect((await test.call(getSelector, { ...users, token: company.token })).status).toBe(200)
    expect((await test.call(getSelector, { ...users, token: secret })).status).toBe(403)
  })

  it('refuses to let a key create, list or revoke keys, even with every scope', async () => {
    const { id, secret } = await insertApiKey(test, owner, everyScope)
    expect((await test.call(createApiKey, { token: secret, body: buildBody({}) })).status).toBe(403)
    expect((await test.call(listApiKeys, { token: secret })).status).toBe(403)
    expect((await test.call(revokeApiKey, { token: secret, params: { id } })).status).toBe(403)
  })

  it('lets only owners create keys: a member could otherwise extend their own permissions', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createCustomer(test, {
      userType: 'corporate',
      accountId: company.accountId,
      isOwner: false,
      permissions: everyPermission,
    })
    expect((await create(member)).status).toBe(403)
    expect((await create(company)).status).toBe(200)
  })

  it('refuses a revoked key from the next call in every process; other accounts receive "not found"', async () => {
    const other = await secondProcess(test)
    const { id, secret } = await insertApiKey(test, owner, ['parcels'])
    const readInOtherProcess = async () => {
      const url = listParcels.path
      return (await other.inject({ method: 'GET', url, headers: { authorization: `Bearer ${secret}` } })).statusCode
    }
    expect(await readInOtherProcess()).toBe(200)
    const stranger = await createCustomer(test)
    const strangerAnswer = await test.call(revokeApiKey, { token: stranger.token, params: { id } })
    const missing = await test.call(revokeApiKey, { token: stranger.token, params: { id: newId() } })
    expect(strangerAnswer).toMatchObject({ status: 404, error: missing.error })
    expect(await readInOtherProcess()).toBe(200)
    expect((await test.call(revokeApiKey, { token: owner.token, params: { id } })).status).toBe(200)
    expect(await readInOtherProcess()).toBe(401)
    expect((await test.call(listParcels, { token: secret })).status).toBe(401)
    const list = await test.call(listApiKeys, { token: owner.token })
    expect(list.body.items.find((key) => key.id === id)).toMatchObject({ status: 'revoked' })
    // Revoking a key again is no error and changes nothing.
    expect((await test.call(revokeApiKey, { token: owner.token, params: { id } })).status).toBe(200)
  })

  it('lists a key that still works before any number of newer revoked ones', async () => {
    const customer = await createCustomer(test)
    const { id } = await insertApiKey(test, customer, ['parcels'])
    await sql`
      insert into api_keys (id, account_id, name, prefix, secret_hash, scopes, created_by, created_at, revoked_at)
      select gen_random_uuid(), account_id, name, prefix, sha256(n::text::bytea), scopes, created_by,
        created_at + n * interval '1 second', created_at + n * interval '1 second'
      from api_keys, generate_series(1, 200) n
      where id = ${id}::uuid`.execute(test.deps.db)
    const { items } = (await test.call(listApiKeys, { token: customer.token })).body
    expect(items.find((key) => key.id === id)).toMatchObject({ status: 'active' })
    expect(items.map(({ createdAt }) => createdAt)).toEqual(
      items
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    )
  })

  it('refuses a key immediately once its account is suspended or blocked, or its creator is', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const { secret } = await insertApiKey(test, company, ['parcels'])
    const call = async () => (await test.call(listParcels, { token: secret })).status
    const set = (table: 'accounts' | 'users', status: string) =>
      sql`update ${sql.table(table)} set status = ${status}
        where id = ${table === 'accounts' ? company.accountId : company.userId}::uuid`.execute(test.deps.db)
    expect(await call()).toBe(200)
    for (const table of ['accounts', 'users'] as const) {
      await set(table, 'inactive')
      expect(await call()).toBe(403)
      await set(table, 'blacklisted')
      expect(await call()).toBe(401)
      await set(table, 'active')
      expect(await call()).toBe(200)
    }
  })

  it('refuses an expired key and lists it as expired', async () => {
    const customer = await createCustomer(test)
    const past = await create(customer, { expiresAt: new Date(Date.now() - 1000).toISOString() })
    expect(past.error).toMatchObject({ code: 'validation', errors: [{ field: 'expiresAt' }] })
    const expiresAt = later(test.clock.now(), minutes(2)).toISOString()
    const created = await create(customer, { expiresAt })
    expect((await test.call(listParcels, { token: created.body.secret })).status).toBe(200)
    test.clock.advance(minutes(2))
    expect((await test.call(listParcels, { token: created.body.secret })).status).toBe(401)
    const list = await test.call(listApiKeys, { token: customer.token })
    expect(list.body.items.find(({ id }) => id === created.body.apiKey.id)?.status).toBe('expired')
  })

  it('records the last use of a key, at most once a minute', async () => {
    const customer = await createCustomer(test)
    const { id, secret } = await insertApiKey(test, customer, ['parcels'])
    const use = async () => {
      await test.call(listParcels, { token: secret })
      const list = await test.call(listApiKeys, { token: customer.token })
      return list.body.items.find((key) => key.id === id)?.lastUsedAt
    }
    test.clock.freeze()
    const first = await use()
    expect(first).toBe(test.clock.now().toISOString())
    test.clock.advance(minutes(1) - 1000)
    expect(await use()).toBe(first)
    test.clock.advance(1000)
    expect(await use()).toBe(test.clock.now().toISOString())
  })

  it('names the key in the activity log of what it did', async () => {
    const { id, secret } = await insertApiKey(test, owner, ['addresses'], { name: 'Warehouse 7' })
    await test.call(createAddress, { token: secret, body: addressBody() })
    await test.call(listParcels, { token: secret })
    const { rows } = await sql<{ action: string; detail: unknown; user_id: string }>`
      select action, detail, user_id from activity_log where detail->'apiKey'->>'id' = ${id}`.execute(test.deps.db)
    expect(rows.map(({ action }) => action)).toContain('access.refused')
    for (const row of rows)
      expect(row).toMatchObject({ user_id: owner.userId, detail: { apiKey: { id, name: 'Warehouse 7' } } })
  })

  it('are not looked up for an address that has tried many made-up ones', async () => {
    const limited = await buildTestApp({ REQUESTS_PER_MINUTE: '12', TRUST_PROXY: 'on' })
    const { secret } = await insertApiKey(limited, await createCustomer(limited), ['parcels'])
    const list = async (token: string, address: string) => {
      const headers = { 'x-forwarded-for': address }
      return (await limited.call(listParcels, { token, headers })).status
    }
    const madeUp = Array.from({ length: 12 }, (_, n) => `wb_${String(n).padStart(43, 'x')}`)
    for (const token of madeUp) expect(await list(token, '10.7.0.1')).toBe(401)
    expect(await list(secret, '10.7.0.1')).toBe(429)
    expect(await list(secret, '10.7.0.2')).toBe(200)
  })

  it('limits the rate of each key separately: a runaway program does not lock its owner out', async () => {
    const limited = await buildTestApp({ REQUESTS_PER_MINUTE: '12' })
    const customer = await createCustomer(limited)
    const { secret } = await insertApiKey(limited, customer, ['parcels'])
    const { secret: second } = await insertApiKey(limited, customer, ['parcels'])
    const statuses: number[] = []
    for (let n = 0; n < 14; n += 1) statuses.push((await limited.call(listParcels, { token: secret })).status)
    expect(statuses.slice(0, 12).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect((await limited.call(listParcels, { token: customer.token })).status).toBe(200)
    expect((await limited.call(listParcels, { token: second })).status).toBe(200)
  })

  it('limits the number of keys of an account', async () => {
    const customer = await createCustomer(test)
    for (let n = 1; n < maxApiKeys; n += 1) await insertApiKey(test, customer, ['parcels'])
    const keys = await Promise.all([create(customer), create(customer), create(customer)])
    expect(keys.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(keys.find(({ status }) => status === 409)?.error.code).toBe('too_many_keys')
  })

  it('counts no expired key, and lists the working ones first', async () => {
    const customer = await createCustomer(test)
    const working = await insertApiKey(test, customer, ['parcels'])
    for (let n = 0; n < 201; n += 1) await insertApiKey(test, customer, ['parcels'])
    await sql`update api_keys set expires_at = ${test.clock.now()}, created_at = created_at + interval '1 minute'
      where account_id = ${customer.accountId}::uuid and id <> ${working.id}::uuid`.execute(test.deps.db)
    expect((await create(customer)).status).toBe(200)
    const { body } = await test.call(listApiKeys, { token: customer.token })
    expect(body.items.some(({ id }) => id === working.id)).toBe(true)
  })

  describe('that pay', () => {
    it('require the wallet PIN and a limit when they are created', async () => {
      const customer = await createCustomer(test)
      const paying = { scopes: ['payments' as const] }
      expect((await create(customer, paying)).error.errors).toMatchObject([{ field: 'dailyLimitMinor' }])
      const limit = { ...paying, dailyLimitMinor: 5000 }
      expect((await create(customer, limit)).error.errors).toMatchObject([{ field: 'pin' }])
      expect((await create(customer, { ...limit, pin: testPin })).error.code).toBe('pin_not_set')
      await setWalletPin(test, customer)
      expect((await create(customer, { ...limit, pin: '111112' })).error.code).toBe('pin_wrong')
      const created = await create(customer, { ...limit, pin: testPin })
      expect(created.body.apiKey).toMatchObject({ dailyLimitMinor: 5000, scopes: ['payments'] })
      const unneeded = await create(customer, { dailyLimitMinor: 5000 })
      expect(unneeded.error.errors).toMatchObject([{ field: 'dailyLimitMinor' }])
    })

    it('pay without a PIN; a user still needs it', async () => {
      const { customer, order, pay } = await payer(100_000)
      const person = await pay(order, customer.token)
      expect(person).toMatchObject({ status: 422, error: { errors: [{ field: 'pin' }] } })
      expect((await pay()).body).toMatchObject({ status: 'succeeded', amountMinor: order.totalMinor })
      expect(await sumBooks(test)).toMatchObject({ total: 0, unbalanced: 0, differing: 0, negative: 0 })
    })

    it('pay no more than their daily limit, even with concurrent payments', async () => {
      const probe = await payer(1)
      const refusal = await probe.pay()
      expect(refusal.error).toMatchObject({
        code: 'key_limit',
        details: { limitMinor: 1, spentMinor: 0, neededMinor: probe.order.totalMinor },
      })
      const price = probe.order.totalMinor
      const { customer, order, pay, id } = await payer(price * 2)
      const orders = [order, await placeOrder(test, customer), await placeOrder(test, customer)]
      expect(orders.map(({ totalMinor }) => totalMinor)).toEqual([price, price, price])
      const answers = await Promise.all(orders.map((each) => pay(each)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422])
      const failed = orders[answers.findIndex(({ status }) => status === 422)]
      if (!failed) throw new Error('no payment was refused')
      const { rows } = await sql<{ spent: number }>`
        select spent_minor as spent from api_key_spending where api_key_id = ${id}::uuid`.execute(test.deps.db)
      expect(rows).toEqual([{ spent: price * 2 }])
      expect((await pay(failed)).error.code).toBe('key_limit')
    })

    it('have their whole limit again on the next day', async () => {
      const probe = await payer(1)
      const { order, customer, pay, id } = await payer(probe.order.totalMinor)
      expect((await pay()).status).toBe(200)
      const second = await placeOrder(test, customer)
      expect((await pay(second)).error.code).toBe('key_limit')
      await sql`update api_key_spending set day = day - 1 where api_key_id = ${id}::uuid`.execute(test.deps.db)
      expect((await pay(second)).status).toBe(200)
      expect(second.totalMinor).toBe(order.totalMinor)
    })

    it('do not use up their limit with failed payments', async () => {
      const { order, pay, secret, id } = await payer(100_000)
      const stale = await test.call(payWithCredits, {
        token: secret,
        params: { id: order.id },
        body: { expectedTotalMinor: order.totalMinor - 1 },
      })
      expect(stale.error.code).toBe('price_changed')
      const poorCustomer = await createCustomer(test)
      const unpaid = await placeOrder(test, poorCustomer)
      const { id: poorKey, secret: poorSecret } = await insertApiKey(test, poorCustomer, ['payments'])
      const body = { expectedTotalMinor: unpaid.totalMinor }
      const rejection = await test.call(payWithCredits, { token: poorSecret, params: { id: unpaid.id }, body })
      expect(rejection.error.code).toBe('wallet_too_low')
      const { rows } = await sql`
        select 1 from api_key_spending where api_key_id in (${id}::uuid, ${poorKey}::uuid)`.execute(test.deps.db)
      expect(rows).toEqual([])
      expect((await pay()).status).toBe(200)
    })
  })

  it('have their spending records deleted after three months', async () => {
    const { id, pay } = await payer(100_000)
    expect((await pay()).status).toBe(200)
    test.clock.advance(days(91))
    await sweep(test.deps)
    const { rows } = await sql`select 1 from api_key_spending where api_key_id = ${id}::uuid`.execute(test.deps.db)
    expect(rows).toEqual([])
  })
})
