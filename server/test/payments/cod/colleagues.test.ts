import { exportCod, listCod, listCodPayouts, printCodPayout } from '@waybill/contract/payments/cod'
import { payOutCod } from '@waybill/contract/payments/cod-payouts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { collectCod, createCodPeople } from '../../testing/factories/cod.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'

describe("collections of colleagues' parcels", () => {
  let test: TestApp
  let owner: TestCustomer
  let member: TestCustomer
  let boss: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    const { here } = await findCounter(test)
    const people = await createCodPeople(test, here)
    boss = people.boss
    owner = await createCustomer(test, { userType: 'corporate' })
    member = await createMember(test, owner, ['wallet', 'parcels.create'])
    for (const sender of [owner, member])
      await collectCod(test, sender, { amountMinor: 3000, rider: people.rider, stationId: here })
  })

  it('have a tracking number only for those who may see the parcels: in the list, the export and payouts', async () => {
    const list = async ({ token }: TestCustomer) => (await test.call(listCod, { token })).body
    const all = await list(owner)
    const numbers = all.items.map(({ trackingNumber }) => trackingNumber ?? '')
    expect(numbers).toEqual([expect.stringMatching(/^WB/), expect.stringMatching(/^WB/)])
    const own = await list(member)
    const [visible] = own.items.flatMap(({ trackingNumber }) => trackingNumber ?? [])
    expect(own.items.map(({ trackingNumber }) => trackingNumber).sort()).toEqual([visible, null])
    expect(own.owedMinor).toBe(6000)
    const hidden = numbers.find((number) => number !== visible) ?? ''

    const exported = (await test.call(exportCod, { token: member.token, query: { format: 'csv' } })).raw.toString()
    expect([exported.includes(visible ?? ''), exported.includes(hidden)]).toEqual([true, false])
    const body = { accountIds: [owner.accountId], totalSeenMinor: 6000, feesSeenMinor: 0 }
    expect((await test.call(payOutCod, { token: boss.token, body })).status).toBe(200)
    const [payout] = (await test.call(listCodPayouts, { token: owner.token })).body.items
    const print = async ({ token }: TestCustomer) => {
      const answer = await test.call(printCodPayout, {
        token,
        params: { id: payout?.id ?? '' },
        query: { format: 'csv' },
      })
      expect(answer.status).toBe(200)
      return answer.raw.toString()
    }
    expect(await print(owner)).toContain(hidden)
    const printed = await print(member)
    expect([printed.includes(visible ?? ''), printed.includes(hidden)]).toEqual([true, false])
  })
})
