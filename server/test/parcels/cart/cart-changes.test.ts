import type { BodyIn } from '@waybill/contract/ground/endpoint'
import {
  changeInsurance,
  changeSelfCollection,
  changeSelfCollections,
  changeService,
  changeServices,
} from '@waybill/contract/parcels/cart'
import { createParcel, getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { fillCart } from '../../testing/factories/orders.ts'
import { createParcel as makeParcel, parcelBody } from '../../testing/factories/parcels.ts'

const findLine = (parcel: Parcel, kind: string) => parcel.price?.lines.find((line) => line.kind === kind)?.amountMinor

describe('changing parcels in the cart', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let stations: { collects: string; warehouse: string }
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    other = await createCustomer(test)
    const rows = await test.deps.db.selectFrom('stations').select(['id', 'type']).execute()
    const findStation = (type: string) => rows.find((row) => row.type === type)?.id ?? ''
    stations = { collects: findStation('service_center_t1'), warehouse: findStation('warehouse') }
  })

  const now = async (id: string) => (await test.call(getParcel, { params: { id }, token: owner.token })).body
  const draft = async (overrides: Partial<BodyIn<typeof createParcel>> = {}) =>
    (await test.call(createParcel, { body: overrides, token: owner.token })).body

  it('changes the service and price of a parcel, for only one of two concurrent editors', async () => {
    const [parcel] = (await fillCart(test, owner)) as [Parcel]
    const change = () =>
      test.call(changeService, {
        params: { id: parcel.id },
        body: { version: parcel.version, serviceType: 'semi_express' as const },
        token: owner.token,
      })
    const answers = await Promise.all([change(), change()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.error.code).toBe('version_conflict')
    const after = await now(parcel.id)
    expect(after).toMatchObject({ status: 'incart', serviceType: 'semi_express', version: parcel.version + 1 })
    expect(after.serviceCode).toContain('semi_express')
    expect(after.priceMinor).toBeGreaterThan(parcel.priceMinor ?? Infinity)
  })

  it('changes the service of many parcels, or of none while naming those that it does not fit', async () => {
    const cart = await fillCart(test, owner, 2)
    const heavy = (
      await test.call(createParcel, {
        body: parcelBody({ deliveryMode: 'P2D', weightGrams: 9000, addToCart: true }),
        token: owner.token,
      })
    ).body
    const paidParcel = await makeParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
    const ids = [...cart.map(({ id }) => id), heavy.id, paidParcel.id]
    const refused = await test.call(changeServices, { body: { ids, serviceType: 'document' }, token: owner.token })
    expect([refused.status, refused.error.code]).toEqual([422, 'parcels_refused'])
    expect((refused.error.details?.ids as string[] | undefined)?.sort()).toEqual([heavy.id, paidParcel.id].sort())
    expect(refused.error.details?.parcels).toEqual(
      expect.arrayContaining([
        { id: heavy.id, code: 'weight_over_limit', fields: ['weightGrams'] },
        { id: paidParcel.id, code: 'transition_forbidden', fields: [] },
      ]),
    )
    expect(refused.error.message).toContain('2')
    for (const { id, version } of cart) expect(await now(id)).toMatchObject({ serviceType: 'e_parcel', version })

    const change = await test.call(changeServices, {
      body: { ids: cart.map(({ id }) => id), serviceType: 'semi_express' },
      token: owner.token,
    })
    expect(change.body.items.map(({ serviceType, status }) => [serviceType, status])).toEqual([
      ['semi_express', 'incart'],
      ['semi_express', 'incart'],
    ])
  })

  it('changes to self-collection and back, and refuses a station without self-collection', async () => {
    const [parcel] = (await fillCart(test, owner)) as [Parcel]
    const to = (selfCollectionStationId: string | null, version: number) =>
      test.call(changeSelfCollection, {
        params: { id: parcel.id },
        body: { version, selfCollectionStationId },
        token: owner.token,
      })
    for (const wrong of [stations.warehouse, newId()]) {
      const { status, error } = await to(wrong, parcel.version)
      expect([status, error.errors?.[0]?.field]).toEqual([422, 'selfCollectionStationId'])
    }
    const there = await to(stations.collects, parcel.version)
    expect(there.body).toMatchObject({
      deliveryMode: 'P2P',
      selfCollectionStationId: stations.collects,
      serviceCode: 'own.e_parcel.P2P',
      status: 'incart',
    })
    const home = await to(null, there.body.version)
    expect(home.body).toMatchObject({
      deliveryMode: 'P2D',
      selfCollectionStationId: null,
      priceMinor: parcel.priceMinor,
    })
  })

  it('moves the collection of payment to where the receiver gets the parcel, for many at once', async () => {
    const one = await draft({ deliveryMode: 'D2D', codAmountMinor: 5000 })
    expect(one.collectionMode).toBe('cod')
    const two = await draft({ deliveryMode: 'D2D' })
    const ids = [one.id, two.id]
    const body = { ids, selfCollectionStationId: stations.collects }
    const change = await test.call(changeSelfCollections, { body, token: owner.token })
    expect(new Map(change.body.items.map(({ id, collectionMode }) => [id, collectionMode]))).toEqual(
      new Map([
        [one.id, 'in_store'],
        [two.id, null],
      ]),
    )
    const abroad = await draft({ scope: 'international', carrier: 'dhl' })
    const mixed = await test.call(changeSelfCollections, {
      body: { ...body, ids: [...ids, abroad.id] },
      token: owner.token,
    })
    expect(mixed.error.details?.ids).toEqual([abroad.id])
  })

  it('insures up to the declared value, and removes the premium with the insurance', async () => {
    const [parcel] = (await fillCart(test, owner)) as [Parcel]
    const insure = (version: number, values: { insuredValueMinor: number | null; declaredValueMinor?: number }) =>
      test.call(changeInsurance, { params: { id: parcel.id }, body: { version, ...values }, token: owner.token })
    const undeclared = await insure(parcel.version, { insuredValueMinor: 10_000 })
    expect([undeclared.status, undeclared.error.errors?.[0]?.field]).toEqual([422, 'declaredValueMinor'])
    const over = await insure(parcel.version, { insuredValueMinor: 10_000, declaredValueMinor: 9_999 })
    expect([over.status, over.error.errors?.[0]?.field]).toEqual([422, 'insuredValueMinor'])
    const beyond = await insure(parcel.version, { insuredValueMinor: 900_000_000, declaredValueMinor: 900_000_000 })
    expect([beyond.status, beyond.error.errors?.[0]?.field]).toEqual([422, 'insuredValueMinor'])
    const change = await insure(parcel.version, { insuredValueMinor: 10_000, declaredValueMinor: 20_000 })
    expect(change.body).toMatchObject({ insuredValueMinor: 10_000, declaredValueMinor: 20_000, status: 'incart' })
    expect(findLine(change.body, 'insurance')).toBeGreaterThan(0)
    expect((await insure(parcel.version, { insuredValueMinor: null })).error.code).toBe('version_conflict')
    const off = await insure(change.body.version, { insuredValueMinor: null })
    expect(off.body.priceMinor).toBe(parcel.priceMinor)
  })

  it('returns 404 for parcels of other accounts', async () => {
    const [parcel] = (await fillCart(test, owner)) as [Parcel]
    const { id, version } = parcel
    const token = other.token
    const statuses = await Promise.all([
      test.call(changeService, { params: { id }, body: { version, serviceType: 'semi_express' }, token }),
      test.call(changeServices, { body: { ids: [id], serviceType: 'semi_express' }, token }),
      test.call(changeSelfCollection, { params: { id }, body: { version, selfCollectionStationId: null }, token }),
      test.call(changeSelfCollections, { body: { ids: [id], selfCollectionStationId: null }, token }),
      test.call(changeInsurance, { params: { id }, body: { version, insuredValueMinor: null }, token }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await now(id)).version).toBe(version)
  })
})
