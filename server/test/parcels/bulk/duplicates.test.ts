import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { type BulkRow, cartBulk, clearBulk, editBulk } from '@waybill/contract/parcels/bulk'
import { getCart, removeParcels } from '@waybill/contract/parcels/cart'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../../src/jobs/jobs.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import type { TestCustomer } from '../../testing/factories/accounts.ts'
import { createSender, getBatch, readRows } from '../../testing/factories/bulk.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { queueBehind } from '../../testing/lock-queue.ts'
import { jsonRow } from './bulk-sheets.ts'

describe('duplicates in two batches', () => {
  let test: TestApp
  let who: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
  })

  /** Two batches of a new account, the second one uploaded later. */
  async function readBatches(...batches: Parameters<typeof readRows>[2][]): Promise<string[]> {
    who = await createSender(test)
    const ids: string[] = []
    for (const rows of batches) {
      ids.push((await readRows(test, who, rows)).batch.id)
      test.clock.advance(1000)
    }
    return ids
  }
  const edit = (id: string, edits: BodyIn<typeof editBulk>['edits']) =>
    test.call(editBulk, { body: { id, edits }, token: who.token })
  const cart = (id: string) => test.call(cartBulk, { body: { id }, token: who.token })
  const marks = ({ row, state, problems }: BulkRow) => [row, state, ...problems.map(({ code }) => code)]
  const look = async (id: string) => (await getBatch(test, who, id)).items.map(marks)
  const firstParcel = async () => {
    const { body } = await test.call(getCart, { query: {}, token: who.token })
    return body.items.map(({ id }) => id).slice(0, 1)
  }

  it('marks a corrected row of an earlier batch that equals a row of a later one', async () => {
    const [first = '', second = ''] = await readBatches([jsonRow(1, { phone: '1' })], [jsonRow(1)])
    const { body } = await edit(first, [{ row: 2, version: 1, cells: { phone: '0123456789' } }])
    expect(body.items.map(marks)).toEqual([[2, 'bad', 'duplicate_batch']])
    expect(await look(second)).toEqual([[2, 'good']])
    expect((await cart(second)).body.added).toBe(1)
    expect(await look(first)).toEqual([[2, 'bad', 'duplicate_cart']])
  })

  it('marks a corrected row that equals a parcel of a later batch, unless its duplicate was overridden', async () => {
    const rows = [jsonRow(1, { phone: '1' }), jsonRow(2, { phone: '1' })]
    const [first = '', second = ''] = await readBatches(rows, [jsonRow(1), jsonRow(2)])
    await edit(second, [{ row: 3, version: 1, overrideDuplicate: true }])
    await cart(second)
    await edit(
      first,
      [2, 3].map((row) => ({ row, version: 1, cells: { phone: '0123456789' } })),
    )
    expect(await look(first)).toEqual([
      [2, 'bad', 'duplicate_cart'],
      [3, 'good'],
    ])
  })

  const edited = { row: 2, version: 1 }
  it.each<[string, (first: string) => Promise<unknown>, unknown[]]>([
    ['is corrected', (first) => edit(first, [{ ...edited, cells: { reference: 'Another' } }]), [2, 'good']],
    ['becomes invalid', (first) => edit(first, [{ ...edited, cells: { phone: '1' } }]), [2, 'good']],
    ['is removed', (first) => edit(first, [{ ...edited, remove: true }]), [2, 'good']],
    [
      'is cleared with its batch',
      (first) => test.call(clearBulk, { body: { id: first }, token: who.token }),
      [2, 'good'],
    ],
    ['is put in the cart', cart, [2, 'bad', 'duplicate_cart']],
    [
      'is removed from the cart',
      async (first) => {
        await cart(first)
        return test.call(removeParcels, { body: { ids: await firstParcel() }, token: who.token })
      },
      [2, 'good'],
    ],
    [
      'is cancelled',
      async (first) => {
        await cart(first)
        return test.call(cancelParcels, { body: { ids: await firstParcel() }, token: who.token })
      },
      [2, 'good'],
    ],
    [
      'is deleted after thirty days',
      async (first) => {
        await sql`
          update bulk_batches set updated_at = updated_at - interval '31 days' where id = ${first}::uuid`.execute(
          test.deps.db,
        )
        await addJob(test.deps.db, 'housekeeping:sweep', {})
      },
      [2, 'good'],
    ],
  ])('keeps the mark of a row right when its duplicate in an earlier batch %s', async (_, change, mark) => {
    const [first = '', second = '', third = ''] = await readBatches([jsonRow(1)], [jsonRow(1)], [jsonRow(1)])
    expect(await look(second)).toEqual([[2, 'bad', 'duplicate_batch']])
    await change(first)
    await test.settle()
    expect(await look(second)).toEqual([mark])
    // Only one of the others becomes valid, and the last one names it.
    const last = (await getBatch(test, who, third)).items
    expect(last.map(({ state }) => state)).toEqual(['bad'])
    expect(last[0]?.problems[0]?.code).toBe(mark[1] === 'good' ? 'duplicate_batch' : mark[2])
  })

  it('checks once more when rows are put in the cart, because imports may have run at the same time', async () => {
    const [first = '', second = ''] = await readBatches([jsonRow(1)], [jsonRow(1)])
    await sql`update bulk_rows set state = 'good', problems = null where batch_id = ${second}::uuid`.execute(
      test.deps.db,
    )
    expect((await cart(second)).error.code).toBe('bulk_nothing_good')
    expect(await look(second)).toEqual([[2, 'bad', 'duplicate_batch']])
    expect((await cart(first)).body.added).toBe(1)
  })

  it('marks one of two rows that are corrected at the same time', async () => {
    const wrong = jsonRow(1, { phone: '1' })
    const [first = '', second = ''] = await readBatches([wrong], [wrong])
    const correct = (id: string) => () => edit(id, [{ row: 2, version: 1, cells: { phone: '0123456789' } }])
    const lock = sql`select from bulk_batches where account_id = ${who.accountId}::uuid for update`
    await queueBehind(test, lock, correct(first), correct(second))
    expect([await look(first), await look(second)]).toEqual([[[2, 'good']], [[2, 'bad', 'duplicate_batch']]])
  })
})
