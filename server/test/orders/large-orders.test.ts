import { cancelOrder, previewCancel } from '@waybill/contract/orders/refunds'
import { listCartIds } from '@waybill/contract/parcels/cart'
import { payWithCredits } from '@waybill/contract/payments/payments'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { fillCart, orderParcels } from '../testing/factories/orders.ts'
import { createPayer, expectSoundBooks, testPin } from '../testing/factories/wallet.ts'

describe('an order of many parcels', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  /** Copies a parcel, which has no numbers of its own yet. Returns the ids of all. */
  async function copyParcel(id: string, count: number): Promise<{ id: string }[]> {
    const { rows: columns } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = 'parcels' and is_generated = 'NEVER'
        and column_name <> 'id'`.execute(test.deps.db)
    const names = sql.join(columns.map(({ name }) => sql.ref(name)))
    const { rows } = await sql<{ id: string }>`
      insert into parcels (id, ${names})
      select gen_random_uuid(), ${names} from parcels, generate_series(1, ${count}) where id = ${id}
      returning id`.execute(test.deps.db)
    return [{ id }, ...rows]
  }

  it('can be placed, paid and cancelled as a whole', async () => {
    const customer = await createPayer(test, { creditsMinor: 100_000_000 })
    const [parcel] = await fillCart(test, customer)
    const parcels = await copyParcel(parcel?.id ?? '', 1_100)
    const { token } = customer
    const listFreeIds = async () => (await test.call(listCartIds, { token, query: { tab: 'dropoff' } })).body.ids
    const ids = parcels.map(({ id }) => id)
    expect((await listFreeIds()).toSorted()).toEqual(ids.toSorted())
    const order = await orderParcels(test, customer, parcels)
    expect(await listFreeIds()).toEqual([])
    const pay = { pin: testPin, expectedTotalMinor: order.totalMinor }
    expect((await test.call(payWithCredits, { token, params: { id: order.id }, body: pay })).status).toBe(200)
    const preview = await test.call(previewCancel, { token, body: { ids } })
    expect(preview).toMatchObject({ status: 200, body: { refundMinor: order.totalMinor } })
    const cancelled = await test.call(cancelOrder, { token, params: { id: order.id }, body: { refundTo: 'wallet' } })
    expect(cancelled.body.items).toHaveLength(parcels.length)
    await expectSoundBooks(test)
  })

  it('does not wait for the figures of its parcels', async () => {
    const customer = await createPayer(test)
    const [parcel] = await fillCart(test, customer)
    await copyParcel(parcel?.id ?? '', 5_000)
    await tx(test.deps.db, async (trx) => {
      // It takes half a second; a loop over all parcels for each of them takes more than ten.
      await sql`set local statement_timeout = '8s'`.execute(trx)
      await sql`update parcels set version = version + 1 where account_id = ${customer.accountId}`.execute(trx)
    })
  })
})
