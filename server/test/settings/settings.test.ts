import { createOrder, getOrder } from '@waybill/contract/orders/orders'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { type SettingKey, secretKeys, settingAccess } from '@waybill/contract/settings/setting-rules'
import { getGeneralSettings, getSettings, putSettings, settingsHistory } from '@waybill/contract/settings/settings'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createStaff, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, payCredits, placeOrder, quoteTotal } from '../testing/factories/orders.ts'
import { createPayer } from '../testing/factories/wallet.ts'
import { secondProcess } from '../testing/second-process.ts'

describe('settings', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    token = (await createStaff(test, { type: 'superadmin' })).token
  })

  const save = (values: Record<string, unknown>, language?: string) =>
    test.call(putSettings, { token, body: { values }, ...(language ? { language } : {}) })

  it('have default values that everyone can read, with an ETag that avoids sending them twice', async () => {
    const first = await test.call(getGeneralSettings)
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      appName: 'Waybill',
      currency: 'MYR',
      countryCode: 'my',
      timezone: 'Asia/Kuala_Lumpur',
      primaryColour: '#e82023',
      creditLabel: 'LP',
      languages: ['en', 'cn_zh'],
      loginMethods: ['local'],
      features: { demo: false },
    })
    expect(first.headers['cache-control']).toBe('public, max-age=60, must-revalidate')
    const etag = String(first.headers.etag)
    const again = await test.call(getGeneralSettings, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(again.raw).toHaveLength(0)
    await save({ 'app.name': 'Parcel Place' })
    const changed = await test.call(getGeneralSettings, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.body.appName).toBe('Parcel Place')
    expect(changed.headers.etag).not.toBe(etag)
  })

  it('take effect in other processes, too', async () => {
    const other = await secondProcess(test)
    expect((await save({ 'wallet.creditLabel': 'CR', 'units.weight': 'lb' })).body.changed).toEqual([
      'units.weight',
      'wallet.creditLabel',
    ])
    const there = () => other.inject(getGeneralSettings.path).then((answer) => answer.json())
    await expect.poll(there).toMatchObject({ creditLabel: 'CR', weightUnit: 'lb' })
  })

  it('for superadmins cannot be changed by other users: each is named, and nothing changes', async () => {
    const reservedKeys = [
      'currency',
      'countryCode',
      'auth.methods',
      'auth.expiryMinutes',
      'auth.staffSecondFactor',
      'keycloak.issuer',
      'keycloak.sides',
      'ms365.issuer',
      'ms365.tenants',
      'tracking.prefix',
      'mail.fromName',
      'mail.fromAddress',
      'mail.transport',
      'mail.host',
      'mail.port',
      'mail.ssl',
      'mail.user',
      'mail.password',
    ]
    const { values } = (await test.call(getSettings, { token })).body
    const everything = { ...values, ...Object.fromEntries(secretKeys.map((key) => [key, 'a new secret'])) }
    const before = await test.deps.db.selectFrom('settings').selectAll().orderBy('key').execute()
    for (const overrides of [{ role: 'it_executive' }, { role: 'admin' }, { type: 'admin' }] as const) {
      const other = (await createStaff(test, overrides)).token
      const { status, error } = await test.call(putSettings, { token: other, body: { values: everything } })
      expect([status, error.code]).toEqual([403, 'forbidden'])
      expect(error.message).toContain('superadmin')
      expect(error.errors?.map(({ field }) => field)).toEqual(expect.arrayContaining(reservedKeys))
      const single = await test.call(putSettings, { token: other, body: { values: { 'tracking.prefix': 'ZZ' } } })
      expect(single.error.errors?.map(({ field }) => field)).toEqual(['tracking.prefix'])
      // Admins may write each of the other settings.
      for (const [key, value] of Object.entries(values)) {
        const answer = await test.call(putSettings, { token: other, body: { values: { [key]: value } } })
        const isReserved = settingAccess(key as SettingKey) === 'staff.system'
        expect([key, answer.status]).toEqual([key, isReserved ? 403 : 200])
      }
    }
    expect(await test.deps.db.selectFrom('settings').selectAll().orderBy('key').execute()).toEqual(before)
    expect((await save({ 'tracking.prefix': 'WX' })).body.changed).toEqual(['tracking.prefix'])
    await save({ 'tracking.prefix': 'WB' })
  })

  it('reject a sign-in method that is not configured, and do not offer a stored one without its settings', async () => {
    const refusal = await save({ 'auth.methods': ['local', 'keycloak'], 'company.name': 'Not written' })
    expect(refusal.status).toBe(422)
    expect(refusal.error.errors?.map(({ field }) => field)).toEqual([
      'keycloak.issuer',
      'keycloak.clientId',
      'keycloak.clientSecret',
    ])
    expect((await test.call(getGeneralSettings)).body.companyName).not.toBe('Not written')
    await test.deps.db
      .insertInto('settings')
      .values({ key: 'auth.methods', value: JSON.stringify(['local', 'ms365']) })
      .execute()
    const other = await secondProcess(test)
    expect((await other.inject(getGeneralSettings.path)).json()).toMatchObject({ loginMethods: ['local'] })
    await test.deps.db.deleteFrom('settings').where('key', '=', 'auth.methods').execute()
  })

  it('are validated one by one; all problems are reported together and nothing is written', async () => {
    const answer = await save({
      timezone: 'Mars/Olympus',
      currency: 'ringgit',
      'price.serviceCharge': { type: 'fixed', value: -1 },
      'company.name': 'Kept as it was',
    })
    expect(answer.status).toBe(422)
    expect(answer.error.errors?.map(({ field }) => field).sort()).toEqual([
      'currency',
      'price.serviceCharge',
      'timezone',
    ])
    expect((await test.call(getGeneralSettings)).body.companyName).not.toBe('Kept as it was')
    for (const host of ['smtp.example.com:587', '::1:', 'smtp example'])
      expect((await save({ 'mail.host': host })).error.errors).toMatchObject([{ field: 'mail.host' }])
    for (const host of ['smtp.example.com', '10.0.0.7', '2001:db8::25', null])
      expect((await save({ 'mail.host': host })).status).toBe(200)
    const unknown = await save({ 'no.such.key': 1 }, 'zh')
    expect(unknown.error).toMatchObject({ code: 'validation', errors: [{ field: 'no.such.key' }] })
    expect(unknown.error.errors?.[0]?.message).toMatch(/[一-鿿]/)
    expect((await test.call(putSettings, { token, body: {} as never })).status).toBe(422)
  })

  it('are logged on change, with user, old and new value', async () => {
    await save({ 'company.name': 'Kurier Sdn Bhd' })
    const entries = await listActivities(test, { action: 'settings.put', subject: 'company.name' })
    const detail = { from: 'Waybill Express Sdn Bhd', to: 'Kurier Sdn Bhd' }
    expect(entries).toMatchObject([{ level: 'NOTICE', detail, user_id: expect.any(String) }])
    expect((await save({ 'company.name': 'Kurier Sdn Bhd' })).body.changed).toEqual([])
  })

  it('show who changed them when, and their previous values', async () => {
    await save({ 'price.pickupFeeMinor': 300 })
    await save({ 'price.pickupFeeMinor': 350 })
    const { body } = await test.call(getSettings, { token })
    expect(body.versions['price.pickupFeeMinor']).toBe(2)
    expect(body.changed['price.pickupFeeMinor']).toEqual({
      at: expect.stringMatching(/Z$/),
      by: expect.stringMatching(/^Staff/),
    })
    expect(body.changed).not.toHaveProperty('price.returnFeeMinor')
    const history = (query: { key?: string }) => test.call(settingsHistory, { token, query })
    expect((await history({ key: 'price.pickupFeeMinor' })).body.items).toMatchObject([
      { key: 'price.pickupFeeMinor', from: 300, to: 350, by: expect.stringMatching(/^Staff/) },
      { from: 200, to: 300 },
    ])
  })

  it('are not overwritten if they were changed in the meantime', async () => {
    const write = (days: number, version: number) =>
      test.call(putSettings, {
        token,
        body: {
          values: { 'collection.holdingDays': days, 'returns.windowDays': days },
          versions: { 'collection.holdingDays': version },
        },
      })
    const concurrentAnswers = await Promise.all([write(10, 0), write(11, 0)])
    expect(concurrentAnswers.map(({ status }) => status).sort()).toEqual([200, 409])
    const stale = await write(12, 0)
    expect(stale.error).toMatchObject({ code: 'version_conflict', details: { keys: ['collection.holdingDays'] } })
    expect(test.deps.settings.get('returns.windowDays')).not.toBe(12)
    expect((await write(12, 1)).status).toBe(200)
  })

  it('that are secret are stored encrypted, never returned and never logged', async () => {
    await save({ 'mail.password': 'hunter2-of-the-mail-server' })
    const row = await test.deps.db.selectFrom('settings').select('value').where('key', '=', 'mail.password').execute()
    expect(JSON.stringify(row)).not.toContain('hunter2')
    const log = await listActivities(test, { subject: 'mail.password' })
    expect(log).toHaveLength(1)
    expect(JSON.stringify(log)).not.toContain('hunter2')
    const settings = await test.call(getSettings, { token })
    expect(JSON.stringify(settings.body)).not.toContain('hunter2')
    const others = { 'keycloak.clientSecret': false, 'ms365.clientSecret': false, 'mail.mailgunKey': false }
    expect(settings.body.secretsSet).toEqual({ 'mail.password': true, ...others })
    expect(settings.body.values).not.toHaveProperty('mail.password')
    const history = await test.call(settingsHistory, { token, query: { key: 'mail.password' } })
    expect(history.body.items).toMatchObject([{ key: 'mail.password', from: null, to: null }])
    expect(test.deps.settings.secret('mail.password')).toBe('hunter2-of-the-mail-server')
    await save({ 'mail.password': null })
    const cleared = await test.call(getSettings, { token })
    expect(cleared.body.secretsSet).toEqual({ 'mail.password': false, ...others })
  })

  it('with a value that this release cannot read count as unset', async () => {
    await test.deps.db.insertInto('settings').values({ key: 'units.dimension', value: '"furlong"' }).execute()
    await test.deps.settings.reload()
    expect((await test.call(getGeneralSettings)).body.dimensionUnit).toBe('cm')
  })

  it('reach another process that cannot read them when they change', async () => {
    const { deps } = await secondProcess(test)
    const { db, live } = test.deps
    let reconnects = 0
    deps.live.onReconnect(() => {
      reconnects += 1
    })
    await sql`update settings set value = '"Kilat Courier"' where key = 'company.name'`.execute(db)
    await sql`alter table settings rename to settings_away`.execute(db)
    await live.publish(db, 'settings', {})
    // Its connection is replaced once the reading has failed.
    await expect.poll(() => reconnects, { timeout: 10_000 }).toBeGreaterThan(0)
    await sql`alter table settings_away rename to settings`.execute(db)
    await expect.poll(() => deps.settings.get('company.name'), { timeout: 20_000 }).toBe('Kilat Courier')
  })
})

describe('changed fees', () => {
  let test: TestApp
  let customer: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    customer = await createPayer(test)
  })

  it('apply to new requests: existing orders stay unchanged', async () => {
    const paidOrder = await placeOrder(test, customer)
    expect((await payCredits(test, customer, paidOrder)).status).toBe(200)
    const waiting = await placeOrder(test, customer)
    const order = async (id: string) => (await test.call(getOrder, { token: customer.token, params: { id } })).body
    const before = await order(paidOrder.id)
    const [inCart] = await fillCart(test, customer)
    const total = await quoteTotal(test, customer, inCart ? [inCart] : [])
    const quoteParcel = async () => {
      const id = before.parcels[0]?.id ?? ''
      return (await test.call(getParcel, { token: customer.token, params: { id } })).body.price
    }
    const priced = await quoteParcel()
    const { token } = await createStaff(test, { type: 'superadmin' })
    const body = {
      values: {
        'price.serviceCharge': { type: 'fixed', value: 777 },
        'price.taxBasisPoints': 800,
        'price.fuelBasisPoints': 900,
      },
    }
    expect((await test.call(putSettings, { token, body })).body.changed).toHaveLength(3)
    expect(await order(paidOrder.id)).toEqual(before)
    expect(await quoteParcel()).toEqual(priced)
    // A confirmed price stays. A customer who saw an older price is warned before ordering.
    expect((await payCredits(test, customer, waiting)).status).toBe(200)
    const refusal = await test.call(createOrder, {
      token: customer.token,
      body: { parcelIds: [inCart?.id ?? ''], expectedTotalMinor: total, pickup: null },
    })
    expect([refusal.status, refusal.error.code]).toEqual([409, 'price_changed'])
    const fresh = await placeOrder(test, customer)
    expect(fresh.totalMinor).toBeGreaterThan(before.totalMinor)
  })
})
