import { payWithCredits } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createApiKey } from '../../testing/factories/api-keys.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { placeOrder } from '../../testing/factories/orders.ts'
import { createPayer, testPin } from '../../testing/factories/wallet.ts'

describe("the approval rule of an API key's company", () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  it('holds for the key, too', async () => {
    const company = await createPayer(test, { userType: 'corporate', creditsMinor: 1_000_000 })
    await sql`update accounts set approval_above_minor = 1 where id = ${company.accountId}::uuid`.execute(test.deps.db)
    const order = await placeOrder(test, company)
    const { secret } = await createApiKey(test, company, ['payments'])
    const body = { expectedTotalMinor: order.totalMinor }
    const answer = await test.call(payWithCredits, { token: secret, params: { id: order.id }, body })
    expect(answer.error.code).toBe('approval_needed')
  })

  it('is not used up by the purchases of the owner', async () => {
    const company = await createPayer(test, { userType: 'corporate', creditsMinor: 1_000_000 })
    const [own, first, second] = await Promise.all([1, 2, 3].map(() => placeOrder(test, company)))
    await sql`
      update accounts set approval_above_minor = ${first?.totalMinor}
      where id = ${company.accountId}::uuid`.execute(test.deps.db)
    const payOwn = { pin: testPin, expectedTotalMinor: own?.totalMinor ?? 0 }
    const paid = await test.call(payWithCredits, { token: company.token, params: { id: own?.id ?? '' }, body: payOwn })
    expect(paid.status).toBe(200)
    const { secret } = await createApiKey(test, company, ['payments'])
    const payByKey = (order: typeof first) =>
      test.call(payWithCredits, {
        token: secret,
        params: { id: order?.id ?? '' },
        body: { expectedTotalMinor: order?.totalMinor ?? 0 },
      })
    expect((await payByKey(first)).status).toBe(200)
    expect((await payByKey(second)).error.code).toBe('approval_needed')
  })
})
