import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { searchEntries } from '@waybill/contract/wallet/ledger'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff } from '../../testing/factories/accounts.ts'
import { collectCod, createCodPeople } from '../../testing/factories/cod.ts'
import { findCounter } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

describe('the search for entries of the books', () => {
  let test: TestApp
  let token: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    token = (await createStaff(test, { role: 'account_manager' })).token
  })

  const find = async (search: string) =>
    (await test.call(searchEntries, { token, query: { search } })).body.items.map(({ reference }) => reference)

  it('finds numbers as pages show them and as people type them', async () => {
    const payer = await createPayer(test)
    const { number } = await placeOrder(test, payer).then(async (order) => {
      expect((await payCredits(test, payer, order)).status).toBe(200)
      return order
    })
    for (const search of [number, number.toLowerCase(), ` ${number.slice(0, 6)} ${number.slice(6)}`])
      expect(await find(search)).toEqual([number])

    const { here } = await findCounter(test)
    const { rider, owner } = await createCodPeople(test, here)
    await collectCod(test, owner, { amountMinor: 4000, rider, stationId: here })
    const { rows } = await test.deps.pool.query<{ tracking_number: string }>(
      'select tracking_number from cod_collections',
    )
    const tracking = rows[0]?.tracking_number ?? ''
    for (const search of [tracking, tracking.toLowerCase(), groupTrackingNumber(tracking)])
      expect(await find(search)).toEqual([tracking])
    expect(await find('-')).toEqual([])
  })
})
