import { listParcels } from '@waybill/contract/parcels/list'
import { createParcel as createParcelCall } from '@waybill/contract/parcels/parcels'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../src/db/pool.ts'
import { pricesToday, repriceParcels } from '../../src/domains/parcels/cart/prices.ts'
import { checkoutParcels, listParcelsOfOrder } from '../../src/domains/parcels/service.ts'
import { lockParcels, transitionParcels } from '../../src/domains/parcels/transition.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel, parcelBody, testParty } from '../testing/factories/parcels.ts'
import { queueBehind } from '../testing/lock-queue.ts'

describe('moving parcels', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
  })
  const inCart = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createParcel(test, owner, { status: 'incart' })))
  const lock = (ids: string[], event: Parameters<typeof transitionParcels>[3]) =>
    tx(test.deps.db, async (trx) =>
      transitionParcels(test.deps, trx, await lockParcels(trx, owner.accountId, ids), event, { actorId: owner.userId }),
    )
  const messagesFor = async (ids: string[]) =>
    (await test.deps.db.selectFrom('outbox').select('payload').where('topic', '=', 'parcel.moved').execute())
      .map(({ payload }) => payload as { parcelId: string; event: string; status: string; trackingStatus: string })
      .filter(({ parcelId }) => ids.includes(parcelId))

  it('checks out many parcels with one statement, each with a different number and a timeline entry', async () => {
    const parcels = await inCart(40)
    const ids = parcels.map(({ id }) => id)
    const pickupRequestId = newId()
    const rowsAfter = await tx(test.deps.db, async (trx) => {
      const rows = await lockParcels(trx, owner.accountId, ids)
      const by = { actorId: owner.userId, pickupRequestId }
      const after = await checkoutParcels(test.deps, trx, rows, 'checkout_credit', by)
      expect(after.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
      // Read before the transaction ends, while the outbox messages have not been delivered yet.
      const messages = await trx.selectFrom('outbox').select('payload').where('topic', '=', 'parcel.moved').execute()
      const own = messages.map(({ payload }) => payload as Record<string, string>)
      expect(own.filter(({ parcelId = '' }) => ids.includes(parcelId))).toHaveLength(40)
      return after
    })
    for (const row of rowsAfter) {
      expect(row).toMatchObject({ status: 'pending_pickup', version: 2, pickup_request_id: pickupRequestId })
      expect(row.last_event_at).toEqual(row.updated_at)
    }
    expect(new Set(rowsAfter.map(({ tracking_number }) => tracking_number)).size).toBe(40)
    const events = await test.deps.db
      .selectFrom('tracking_events')
      .select(['parcel_id', 'from_status', 'status', 'actor_id'])
      .where('parcel_id', 'in', ids)
      .where('event', '=', 'checkout_credit')
      .execute()
    expect(events).toHaveLength(40)
    for (const event of events) {
      expect(event).toMatchObject({ from_status: 'incart', status: 'pending_pickup', actor_id: owner.userId })
    }
  })

  it('moves all parcels or none: one forbidden transition stops the others', async () => {
    const [a] = await inCart(1)
    const draft = await createParcel(test, owner)
    const ids = [a?.id ?? '', draft.id]
    await expect(lock(ids, 'checkout_gateway')).rejects.toMatchObject({
      code: 'transition_forbidden',
      extra: { details: { status: 'pending', parcelId: draft.id } },
    })
    const { rows } = await test.deps.pool.query(
      'select status, version from parcels where id = any($1) order by status',
      [ids],
    )
    expect(rows).toEqual([
      { status: 'incart', version: 1 },
      { status: 'pending', version: 1 },
    ])
    expect(await messagesFor(ids)).toEqual([])
  })

  it('does not move a parcel that was changed after it was read', async () => {
    const [row] = await inCart(1)
    if (!row) throw new Error('no parcel')
    await lock([row.id], 'taken_out')
    await expect(
      tx(test.deps.db, (trx) => transitionParcels(test.deps, trx, [row], 'checkout_gateway', { actorId: null })),
    ).rejects.toMatchObject({ code: 'version_conflict' })
  })

  it('locks parcels: a second transaction waits and then reads what the first one wrote', async () => {
    const [parcel] = await inCart(1)
    const id = parcel?.id ?? ''
    const [rows] = await queueBehind(test, sql`update parcels set reference = 'first' where id = ${id}::uuid`, () =>
      tx(test.deps.db, (trx) => lockParcels(trx, owner.accountId, [id])),
    )
    expect(rows).toMatchObject([{ id, reference: 'first' }])
  })

  it('locks only parcels of the caller’s account', async () => {
    const stranger = await createCustomer(test)
    const theirs = await createParcel(test, stranger)
    const own = await createParcel(test, owner)
    const attempt = (ids: string[]) => tx(test.deps.db, (trx) => lockParcels(trx, owner.accountId, ids))
    await expect(attempt([own.id, theirs.id])).rejects.toMatchObject({ code: 'not_found' })
    await expect(attempt([newId()])).rejects.toMatchObject({ code: 'not_found' })
    expect(await attempt([own.id, own.id])).toHaveLength(1)
    expect(await listParcelsOfOrder(test.deps.db as never, newId(), { lock: false })).toEqual([])
  })

  it('writes additional columns with the transition, with different values for each parcel', async () => {
    const parcels = await inCart(3)
    const outcome = await tx(test.deps.db, async (trx) => {
      const rows = await lockParcels(
        trx,
        owner.accountId,
        parcels.map(({ id }) => id),
      )
      return transitionParcels(test.deps, trx, rows, 'checkout_store', { actorId: null }, (row) => ({
        reference: row.id,
      })).catch((error) => error.code)
    })
    // Only parcels that are dropped off can be paid for at the counter.
    expect(outcome).toBe('transition_forbidden')
    const walkIns = await Promise.all(
      [1, 2].map(() => createParcel(test, owner, { status: 'incart', delivery_mode: 'P2D' })),
    )
    const due = await tx(test.deps.db, async (trx) => {
      const rows = await lockParcels(
        trx,
        owner.accountId,
        walkIns.map(({ id }) => id),
      )
      return transitionParcels(test.deps, trx, rows, 'checkout_store', { actorId: null }, (row) => ({
        reference: `ref ${row.id}`,
        amount_due_minor: 700,
        sender: testParty({ contactName: 'O’Brien "Bob" \\ 小王' }),
      }))
    })
    for (const row of due) {
      expect(row).toMatchObject({ status: 'outstanding', reference: `ref ${row.id}`, amount_due_minor: 700 })
      expect(row.sender?.contactName).toBe('O’Brien "Bob" \\ 小王')
    }
  })

  it('calculates today’s prices, and stores changed ones without a new version', async () => {
    const { body } = await test.call(createParcelCall, {
      token: owner.token,
      body: parcelBody({ deliveryMode: 'P2D', addToCart: true }),
    })
    const { db, settings } = test.deps
    await db
      .insertInto('settings')
      .values({ key: 'price.serviceCharge', value: JSON.stringify({ type: 'fixed', value: 900 }) })
      .execute()
    await settings.reload()
    await tx(db, async (trx) => {
      const rows = await lockParcels(trx, owner.accountId, [body.id])
      const [today] = await pricesToday(test.deps, trx, rows, owner.accountId)
      expect(today?.price_minor).toBeGreaterThan(body.priceMinor ?? Infinity)
      expect((await lockParcels(trx, owner.accountId, [body.id]))[0]?.price_minor).toBe(body.priceMinor)
      await repriceParcels(test.deps, trx, rows, owner.accountId)
      const [saved] = await lockParcels(trx, owner.accountId, [body.id])
      expect(saved).toMatchObject({ price_minor: today?.price_minor, version: body.version })
      expect(saved?.price).toEqual(today?.price)
    })
  })

  it('handles bytes that the database cannot store', async () => {
    for (const search of ['\u0000', 'a\u0000b']) {
      expect((await test.call(listParcels, { token: owner.token, query: { search } })).status).toBeLessThan(500)
    }
    const answer = await test.call(createParcelCall, { token: owner.token, body: { reference: 'a\u0000b' } })
    expect(answer.status).toBeLessThan(500)
  })
})
