import { payCorporate, putConsent } from '@waybill/contract/orders/monthly-billing'
import { getOrder } from '@waybill/contract/orders/orders'
import { setAccountTerms } from '@waybill/contract/payments/account-overview'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff } from '../../testing/factories/accounts.ts'
import { createApiKey } from '../../testing/factories/api-keys.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'

describe('an API key that pays by monthly billing', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  async function company() {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const { token } = await createStaff(test, { role: 'account_manager' })
    const params = { id: owner.accountId }
    const body = { version: 1, credit: { limitMinor: 500_000, termsDays: 30 } }
    expect((await test.call(setAccountTerms, { token, params, body })).status).toBe(200)
    await test.call(putConsent, { token: owner.token, body: { version: '2026-01', accept: true } })
    const order = await placeOrder(test, owner)
    const pay = (secret: string) =>
      test.call(payCorporate, {
        token: secret,
        params: { id: order.id },
        body: { expectedTotalMinor: order.totalMinor },
      })
    return { owner, order, pay }
  }

  it('releases the parcels without a PIN', async () => {
    const { owner, order, pay } = await company()
    const { secret } = await createApiKey(test, owner, ['payments'])
    const { status, body } = await pay(secret)
    expect([status, body.method, body.amountMinor]).toEqual([200, 'monthly_billing', order.totalMinor])
    const now = await test.call(getOrder, { token: owner.token, params: { id: order.id } })
    expect(now.body).toMatchObject({ status: 'pending', paymentMethod: 'monthly_billing' })
  })

  it('is refused above its daily limit, and without the scope', async () => {
    const { owner, order, pay } = await company()
    const limit = { daily_limit_minor: order.totalMinor - 1 }
    const limited = await createApiKey(test, owner, ['payments'], limit)
    const refusal = await pay(limited.secret)
    expect([refusal.status, refusal.error.code]).toEqual([422, 'key_limit'])
    const other = await createApiKey(test, owner, ['parcels'])
    expect((await pay(other.secret)).status).toBe(403)
    const now = await test.call(getOrder, { token: owner.token, params: { id: order.id } })
    expect(now.body.status).toBe('pending_payment')
  })
})
