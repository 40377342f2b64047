import { labelValues } from '@waybill/contract/ground/enums/labels'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { cartCount, getCart, listCartIds } from '@waybill/contract/parcels/cart'
import { createGunny } from '@waybill/contract/parcels/gunny'
import { listParcels, parcelCountLimits, parcelTabs } from '@waybill/contract/parcels/list'
import { getParcel, getParcelByNumber, getParcels, trackParcels } from '@waybill/contract/parcels/parcels'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { tabStatuses } from '../../../src/domains/parcels/rules.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel, testReceiver } from '../../testing/factories/parcels.ts'

describe('reading parcels', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    owner = await createCustomer(test, { userType: 'corporate' })
  })

  it('includes the stations, the gunny, the pickup and the user who created the parcel', async () => {
    await seedTestNetwork(test)
    const station = await test.deps.db.selectFrom('stations').select(['id', 'name']).executeTakeFirstOrThrow()
    const { id } = await createParcel(test, owner, {
      status: 'pending_dropoff',
      delivery_mode: 'P2P',
      drop_off_station_id: station.id,
      self_collection_station_id: station.id,
      cod_amount_minor: 8850,
      collection_mode: 'in_store',
      declared_value_minor: 12_000,
    })
    const { token } = owner
    const number = (await test.call(getParcel, { params: { id }, token })).body.trackingNumber ?? ''
    const gunny = await test.call(createGunny, { body: { numbers: [number] }, token })
    const user = await test.deps.db
      .selectFrom('users')
      .select('name')
      .where('id', '=', owner.userId)
      .executeTakeFirstOrThrow()
    expect((await test.call(getParcel, { params: { id }, token })).body).toMatchObject({
      stations: { dropOff: station.name, selfCollection: station.name },
      gunnyId: gunny.body.id,
      gunnyNumber: gunny.body.number,
      pickupRequestId: null,
      createdByName: user.name,
      codAmountMinor: 8850,
      collectionMode: 'in_store',
      declaredValueMinor: 12_000,
    })
  })

  it('shows a parcel, with its timeline, only to its account', async () => {
    const parcel = await createParcel(test, owner, { status: 'fail-to-deliver', reference: 'PO-1' })
    const { status, body } = await test.call(getParcel, { params: { id: parcel.id }, token: owner.token })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: parcel.id,
      reference: 'PO-1',
      status: 'fail-to-deliver',
      trackingStatus: 'in_transit',
    })
    expect(body.allowedActions).toEqual(['choose_delivery', 'recall', 'print_note', 'repeat'])
    expect(body.events[0]).toMatchObject({ event: 'attempt_failed', status: 'fail-to-deliver' })
    expect(body.proof).toBeNull()

    const stranger = await createCustomer(test)
    const no = parcel.tracking_number ?? ''
    for (const { status } of [
      await test.call(getParcel, { params: { id: parcel.id }, token: stranger.token }),
      await test.call(getParcelByNumber, { params: { no }, token: stranger.token }),
      await test.call(getParcels, { params: { ids: parcel.id }, token: stranger.token }),
      await test.call(getParcel, { params: { id: newId() }, token: stranger.token }),
    ]) {
      expect(status).toBe(404)
    }
    const tracked = await test.call(trackParcels, { body: { numbers: [no] }, token: stranger.token })
    expect(tracked.body).toEqual({ items: [], notFound: [no] })
    expect((await test.call(listParcels, { token: stranger.token })).body.items).toEqual([])
  })

  it('finds a parcel by any spelling of its number, and suggests a correction for a typing error', async () => {
    const parcel = await createParcel(test, owner, { status: 'sorting' })
    const no = parcel.tracking_number ?? ''
    const spelling = `${no.slice(0, 2)} ${no.slice(2, 6)} ${no.slice(6)}`.toLowerCase()
    const view = await test.call(getParcelByNumber, { params: { no: spelling }, token: owner.token })
    expect(view.body.id).toBe(parcel.id)

    const slip = `${no.slice(0, -1)}${(Number(no.at(-1)) + 1) % 10}`
    const english = await test.call(getParcelByNumber, { params: { no: slip }, token: owner.token })
    expect(english.status).toBe(422)
    expect(english.error.code).toBe('tracking_number_slip')
    expect(english.error.details).toMatchObject({ number: slip })
    const chinese = await test.call(getParcelByNumber, { params: { no: slip }, token: owner.token, language: 'zh' })
    expect(chinese.error.message).toMatch(/[\u4e00-\u9fff]/)
    const shapeless = await test.call(getParcelByNumber, { params: { no: 'abc' }, token: owner.token })
    expect([shapeless.status, shapeless.error.code]).toEqual([422, 'tracking_number_format'])
  })

  it('returns several parcels in the order of the ids', async () => {
    const parcels = await Promise.all([1, 2, 3].map(() => createParcel(test, owner)))
    const ids = parcels.map(({ id }) => id).reverse()
    const { body } = await test.call(getParcels, { params: { ids: ids.join(',') }, token: owner.token })
    expect(body.items.map(({ id }) => id)).toEqual(ids)
    expect((await test.call(getParcels, { params: { ids: 'no-id' }, token: owner.token })).status).toBe(422)
  })

  it('assigns every status to exactly one tab', () => {
    const statuses = parcelTabs.flatMap((tab) => tabStatuses[tab] ?? [])
    expect([...statuses].sort()).toEqual(labelValues(parcelStatusLabels).sort())
  })

  it('lists by tab, status, service, mode, day and words, with the counts of all tabs', async () => {
    const account = await createCustomer(test)
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
    const draft = await createParcel(test, account, { receiver: testReceiver({ contactName: 'Nurul Huda' }) })
    const cart = await createParcel(test, account, { status: 'incart', reference: 'PO 100%_9' })
    const waiting = await createParcel(test, account, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const moving = await createParcel(test, account, {
      status: 'outbound',
      receiver: testReceiver({ contactName: '王小明' }),
    })
    const old = await createParcel(test, account, {
      status: 'completed',
      created_at: ago(40),
      last_event_at: ago(38),
      service_type: 'document',
    })
    const ids = async (query: Parameters<typeof test.call<typeof listParcels>>[1]) => {
      const { status, body } = await test.call(listParcels, { token: account.token, ...query })
      expect(status).toBe(200)
      expect(body.total).toBe(body.items.length)
      return body.items.map(({ id }) => id)
    }
    expect(await ids({})).toEqual([moving, waiting, cart, draft, old].sort(byCreation).map(({ id }) => id))
    expect((await ids({ query: { tab: 'draft' } })).sort()).toEqual([draft.id, cart.id].sort())
    expect(await ids({ query: { tab: 'draft', status: 'incart' } })).toEqual([cart.id])
    expect(await ids({ query: { tab: 'draft', status: 'completed' } })).toEqual([])
    expect(await ids({ query: { tab: 'to_hand_over' } })).toEqual([waiting.id])
    expect(await ids({ query: { serviceType: 'document' } })).toEqual([old.id])
    expect(await ids({ query: { deliveryMode: 'P2D' } })).toEqual([waiting.id])
    const day = (at: Date) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kuala_Lumpur', dateStyle: 'short' }).format(at)
    expect(await ids({ query: { from: day(old.created_at), to: day(old.created_at) } })).toEqual([old.id])
    expect((await ids({ query: { from: day(ago(1)) } })).sort()).not.toContain(old.id)

    const no = moving.tracking_number ?? ''
    expect(await ids({ query: { search: no } })).toEqual([moving.id])
    expect(
      await ids({ query: { search: `${no.slice(0, 2).toLowerCase()} ${no.slice(2, 6)} ${no.slice(6, 9)}` } }),
    ).toEqual([moving.id])
    expect(await ids({ query: { search: 'nurul h' } })).toEqual([draft.id])
    expect(await ids({ query: { search: 'Nu' } })).toEqual([draft.id])
    expect(await ids({ query: { search: '小明' } })).toEqual([moving.id])
    expect(await ids({ query: { search: 'po 100%' } })).toEqual([cart.id])
    expect(await ids({ query: { search: '+60 19 876 54' } })).toEqual(expect.arrayContaining([moving.id]))
    expect(await ids({ query: { search: '100%_9' } })).toEqual([cart.id])
    expect(await ids({ query: { search: '%%%' } })).toEqual([])
    expect(await ids({ query: { search: '019-876 5432', tab: 'moving' } })).toEqual([moving.id])

    const { body } = await test.call(listParcels, { token: account.token })
    expect(body.counts).toEqual({
      all: 5,
      draft: 2,
      unpaid: 0,
      to_hand_over: 1,
      moving: 1,
      delivered: 1,
      problem: 0,
      cancelled: 0,
    })
    const matches = await test.call(listParcels, { token: account.token, query: { search: '小明' } })
    expect(matches.body.counts).toMatchObject({ all: 1, draft: 0, to_hand_over: 0, moving: 1, delivered: 0 })
    expect((await test.call(listParcels, { token: account.token, query: { sort: 'accountId' } })).status).toBe(422)

    const getCounts = async (query: { tab?: 'all' | 'delivered'; search: string; deliveryMode?: 'P2D' }) =>
      (await test.call(listParcels, { token: account.token, query })).body.counts
    // The counts of a search cover all tabs, whichever tab is open.
    for (const tab of ['all', 'delivered'] as const) {
      expect(await getCounts({ tab, search: '019-876 5432' })).toEqual({ ...body.counts, all: 5 })
      expect(await getCounts({ tab, search: 'nurul h' })).toMatchObject({ all: 1, draft: 1, moving: 0, delivered: 0 })
    }
    expect(await getCounts({ search: '019-876 5432', deliveryMode: 'P2D' })).toMatchObject({ all: 1, to_hand_over: 1 })
    expect(await getCounts({ search: 'nobody has this name' })).toMatchObject({ all: 0, draft: 0 })
  })

  it('pages without a gap or a repetition in every order, with and without a tab', async () => {
    const account = await createCustomer(test)
    const names = ['Chen', 'Abu', 'Devi', 'Bala', 'Abu', 'Chen', 'Eng']
    const statuses = ['inbound', 'outbound', 'delivering', 'sorting', 'outbound', 'inbound', 'reverse_pickup'] as const
    for (const [n, contactName] of names.entries()) {
      await createParcel(test, account, { status: statuses[n], receiver: testReceiver({ contactName }) })
    }
    for (const sort of [
      undefined,
      '+createdAt',
      '-updatedAt',
      '+receiverName',
      '-receiverName',
      '+status',
      '-status',
      '+receiverName,-createdAt',
    ]) {
      for (const tab of ['all', 'moving'] as const) {
        const whole = (await test.call(listParcels, { token: account.token, query: { sort, tab } })).body.items
        expect(whole).toHaveLength(names.length)
        const paged = []
        for (let offset = 0; offset < names.length; offset += 2) {
          const { body } = await test.call(listParcels, {
            token: account.token,
            query: { sort, tab, offset, limit: 2 },
          })
          expect(body.total).toBe(names.length)
          paged.push(...body.items)
        }
        expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
        const order = whole.map(({ receiver }) => receiver?.contactName ?? '')
        if (sort?.startsWith('+receiverName')) expect(order).toEqual([...order].sort())
        if (sort === '-receiverName') expect(order).toEqual([...order].sort().reverse())
      }
    }
  })

  it('shows a member without parcels.view_all only the parcels that they created', async () => {
    const account = await createCustomer(test, { userType: 'corporate' })
    const member = (permissions: ('parcels.view_all' | 'parcels.create')[]) =>
      createCustomer(test, { accountId: account.accountId, userType: 'corporate', isOwner: false, permissions })
    const [own, all] = [await member(['parcels.create']), await member(['parcels.view_all'])]
    const owners = await createParcel(test, account, { status: 'incart' })
    const members = await createParcel(test, own, { status: 'incart', delivery_mode: 'P2P' })
    const list = async (token: string) => (await test.call(listParcels, { token })).body
    expect((await list(own.token)).items.map(({ id }) => id)).toEqual([members.id])
    expect((await list(own.token)).counts).toMatchObject({ all: 1, draft: 1 })
    expect((await list(all.token)).items).toHaveLength(2)
    expect((await test.call(getParcel, { params: { id: owners.id }, token: own.token })).status).toBe(404)
    expect((await test.call(cartCount, { token: own.token })).body).toEqual({ count: 1, pickup: 0, dropoff: 1 })
    const listIds = async (tab: 'pickup' | 'dropoff') =>
      (await test.call(listCartIds, { token: own.token, query: { tab } })).body.ids
    expect([await listIds('pickup'), await listIds('dropoff')]).toEqual([[], [members.id]])
    expect((await test.call(cartCount, { token: account.token })).body).toEqual({ count: 2, pickup: 1, dropoff: 1 })
    const dropoff = await test.call(getCart, { query: { tab: 'dropoff' }, token: account.token })
    expect(dropoff.body.items.map(({ id }) => id)).toEqual([members.id])
  })

  it('counts up to a limit, but pages beyond it', async () => {
    const account = await createCustomer(test)
    const rows = parcelCountLimits.total + 40
    await sql`insert into parcels (account_id, id, created_by, scope, currency, status, created_at)
      select ${account.accountId}::uuid, gen_random_uuid(), ${account.userId}::uuid, 'domestic', 'MYR', 'pending',
        now() - n * interval '1 second'
      from generate_series(1, ${rows}::int) n`.execute(test.deps.db)
    const first = (await test.call(listParcels, { token: account.token, query: { limit: 1 } })).body
    expect(first.total).toBe(parcelCountLimits.total)
    expect(first.counts).toMatchObject({ all: parcelCountLimits.tab, draft: parcelCountLimits.tab })
    const deep = await test.call(listParcels, { token: account.token, query: { offset: rows - 10, limit: 50 } })
    expect(deep.body.items).toHaveLength(10)
    expect(deep.body.total).toBe(rows)
  })
})

function byCreation(a: { created_at: Date }, b: { created_at: Date }): number {
  return b.created_at.getTime() - a.created_at.getTime()
}
