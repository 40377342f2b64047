import { contestWeighing, decideDispute, listDisputes, reweighParcel } from '@waybill/contract/parcels/weighing'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createPayer, fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'
import { countReads } from '../../testing/plans.ts'

describe('a dispute about a size', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let judge: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    judge = await createStaff(test, { role: 'account_manager' })
    counter = (await findCounter(test)).counter
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
  })
  const weigh = (id: string, body: Record<string, unknown>) =>
    test.call(reweighParcel, { token: counter.token, params: { id }, body: body as never })
  const contest = (id: string, { token } = owner) =>
    test.call(contestWeighing, { token, params: { id }, body: { reason: 'I measured it at home' } })
  const decide = ({ id, version }: { id: string; version: number }, body: Record<string, unknown>) =>
    test.call(decideDispute, {
      token: judge.token,
      params: { id },
      body: { version, note: 'Measured again', ...body } as never,
    })

  it('shows staff both sizes of a disputed size, and adjusts it to another size', async () => {
    const parcel = await handedOver(test, owner, counter)
    const size = { lengthMm: 600, widthMm: 500, heightMm: 400 }
    const large = await weigh(parcel.id, { weightGrams: 1200, dimensions: size })
    expect(large.body.dueMinor).toBeGreaterThan(0)
    const contested = await contest(parcel.id)
    const { items } = (await test.call(listDisputes, { token: judge.token, query: { limit: 200 } })).body
    const declaredDimensions = (await parcelNow(test, owner, parcel.id)).dimensions
    expect(declaredDimensions).not.toBeNull()
    expect(items.find(({ id }) => id === contested.body.id)).toMatchObject({ declaredDimensions, dimensions: size })
    const adjust = { decision: 'adjust', weightGrams: 1200 }
    const same = await decide(contested.body, { ...adjust, dimensions: size })
    expect([same.status, same.error.errors?.[0]?.message]).toEqual([
      422,
      'Weight and size must give a lower price than the station’s measurement.',
    ])
    const adjusted = await decide(contested.body, { ...adjust, dimensions: { ...size, heightMm: 200 } })
    expect(adjusted.status).toBe(200)
    expect(adjusted.body.dueMinor).toBeLessThan(large.body.dueMinor)
  })

  it('is listed with its account, by as many statements for several accounts as for one', async () => {
    const open = async (by: TestCustomer) => {
      const { id } = await handedOver(test, by, counter)
      await weigh(id, { weightGrams: 6000, confirmed: true })
      return (await contest(id, by)).body.id
    }
    const list = () => test.call(listDisputes, { token: judge.token })
    const first = await open(owner)
    const countForOne = await countReads('accounts', list)
    const [second, third] = [await open(await createPayer(test)), await open(await createPayer(test))]
    expect(await countReads('accounts', list)).toBe(countForOne)
    const { items } = (await list()).body
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second, third]))
    for (const { accountName } of items) expect(accountName).not.toBe('')
  })
})
