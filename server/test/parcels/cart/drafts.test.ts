import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { addToCart, removeParcels, takeOutOfCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { createParcel, getParcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { beforeAll, describe, expect, it } from 'vitest'
import { tx } from '../../../src/db/pool.ts'
import { bindToOrder } from '../../../src/domains/parcels/service.ts'
import { lockParcels } from '../../../src/domains/parcels/transition.ts'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createMember, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { createParcel as makeParcel, parcelBody, testParty, testReceiver } from '../../testing/factories/parcels.ts'

type Body = BodyIn<typeof createParcel>

describe('drafts and the cart', () => {
  let test: TestApp
  let owner: TestCustomer
  let stations: { collects: string; warehouse: string }
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    const rows = await test.deps.db.selectFrom('stations').select(['id', 'type']).execute()
    const findStation = (type: string) => rows.find((row) => row.type === type)?.id ?? ''
    stations = { collects: findStation('service_center_t1'), warehouse: findStation('warehouse') }
  })

  const create = (body: Body, token = owner.token, language = 'en') =>
    test.call(createParcel, { body, token, language })
  const events = async (id: string) =>
    (await test.call(getParcel, { params: { id }, token: owner.token })).body.events.map(({ event }) => event)

  it('warns on request about an identical parcel created minutes ago', async () => {
    const { token } = await createCustomer(test)
    const body = parcelBody({ refuseIdentical: true, reference: 'INV 1' })
    const first = await create(body, token)
    expect(first.status).toBe(200)
    const again = await create(body, token)
    expect(again.error).toMatchObject({
      statusCode: 409,
      code: 'parcel_identical',
      details: { parcelId: first.body.id, status: 'pending', createdAt: first.body.createdAt },
    })
    for (const other of [{ reference: 'INV 2' }, { weightGrams: 1300 }, { receiver: testReceiver({ line1: '8' }) }]) {
      expect((await create({ ...body, ...other }, token)).status).toBe(200)
    }
    expect((await create({ ...body, refuseIdentical: false }, token)).status).toBe(200)
    const stranger = await createCustomer(test)
    expect((await create(body, stranger.token)).status).toBe(200)
  })

  it('does not warn after ten minutes, or about a removed parcel', async () => {
    const { token, accountId } = await createCustomer(test)
    const body = parcelBody({ refuseIdentical: true })
    const first = await create(body, token)
    await test.call(removeParcels, { token, body: { ids: [first.body.id] } })
    expect((await create(body, token)).status).toBe(200)
    const old = { created_at: new Date(test.clock.now().getTime() - 600_001) }
    await test.deps.db.updateTable('parcels').set(old).where('account_id', '=', accountId).execute()
    expect((await create(body, token)).status).toBe(200)
  })

  it('stores an empty draft, and lists the missing fields', async () => {
    const { status, body } = await create({})
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'pending',
      trackingStatus: 'pending',
      version: 1,
      price: null,
      trackingNumber: null,
    })
    expect(body.missing).toEqual([
      'serviceType',
      'deliveryMode',
      'sender',
      'receiver',
      'contentType',
      'weightGrams',
      'dimensions',
    ])
    expect(body.allowedActions).toEqual(['edit', 'remove', 'cancel'])
    expect(await events(body.id)).toEqual(['created'])
  })

  it('requires no size for documents, and requires a station for self-collection', async () => {
    const paper = await create({
      ...parcelBody({ serviceType: 'document', contentType: 'document' }),
      dimensions: null,
    })
    expect(paper.body.missing).toEqual([])
    expect((await create(parcelBody({ deliveryMode: 'D2P' }))).body.missing).toEqual(['selfCollectionStationId'])
  })

  it('puts a complete parcel in the cart with its price on request, and keeps an incomplete one a draft', async () => {
    const { body } = await create(parcelBody({ addToCart: true }))
    expect(body).toMatchObject({
      status: 'incart',
      missing: [],
      serviceCode: 'own.e_parcel.D2D',
      volumetricGrams: 1200,
      currency: 'MYR',
    })
    expect(body.priceMinor).toBeGreaterThan(0)
    expect(body.price?.totalMinor).toBe(body.priceMinor)
    expect(body.chargeableGrams).toBeGreaterThanOrEqual(1200)
    expect(body.allowedActions).toEqual(['edit', 'take_out_of_cart', 'remove', 'checkout', 'cancel', 'repeat'])
    expect(await events(body.id)).toEqual(['added_to_cart', 'created'])
    expect((await create({ ...parcelBody({ addToCart: true }), weightGrams: null })).body).toMatchObject({
      status: 'pending',
      missing: ['weightGrams'],
    })
  })

  describe.each(['en', 'zh'])('refuses with 422 and the name of the field, in %s', (language) => {
    const cases: [string, Partial<Body>, string, string][] = [
      ['a weight above the limit', { weightGrams: 30_001 }, 'weight_over_limit', 'weightGrams'],
      [
        'dimensions above the limit',
        { dimensions: { lengthMm: 2000, widthMm: 1000, heightMm: 1000 } },
        'weight_over_limit',
        'dimensions',
      ],
      ['zero weight', { weightGrams: 0 }, 'validation', 'weightGrams'],
      ['a negative weight', { weightGrams: -5 }, 'validation', 'weightGrams'],
      ['a fraction of a gram', { weightGrams: 10.5 }, 'validation', 'weightGrams'],
      ['zero length', { dimensions: { lengthMm: 0, widthMm: 1, heightMm: 1 } }, 'validation', 'dimensions.lengthMm'],
      [
        'a sender whose postcode does not exist',
        { sender: testParty({ postcode: '00001' }) },
        'postcode_unknown',
        'sender.postcode',
      ],
      [
        'a receiver whose postcode does not exist',
        { receiver: testReceiver({ postcode: '99999' }) },
        'postcode_unknown',
        'receiver.postcode',
      ],
      ['letters in a phone', { receiver: { ...testReceiver(), phone: 'call me' } }, 'validation', 'receiver.phone'],
      ['an invalid phone number', { sender: testParty({ phone: '+60111111' }) }, 'phone_invalid', 'sender.phone'],
      [
        'a receiver abroad in a domestic parcel',
        { receiver: testReceiver({ country: 'sg', postcode: '018956', phone: '+6581234567' }) },
        'validation',
        'receiver.country',
      ],
      [
        'a name that is too long',
        { receiver: testReceiver({ contactName: 'x'.repeat(121) }) },
        'validation',
        'receiver.contactName',
      ],
      [
        'an insurance above the value',
        { declaredValueMinor: 1000, insuredValueMinor: 2000 },
        'validation',
        'insuredValueMinor',
      ],
      ['an unknown service', { serviceType: 'rocket' as 'document' }, 'validation', 'serviceType'],
      [
        'an unknown self-collection station',
        { deliveryMode: 'D2P', selfCollectionStationId: newId() },
        'validation',
        'selfCollectionStationId',
      ],
      [
        'an unknown drop-off station',
        { deliveryMode: 'P2D', dropOffStationId: newId() },
        'validation',
        'dropOffStationId',
      ],
    ]
    it.each(cases)('%s', async (_, overrides, code, field) => {
      const { status, error } = await create(parcelBody(overrides), owner.token, language)
      expect([status, error.code]).toEqual([422, code])
      const problem = error.errors?.find((entry) => entry.field === field)
      expect(problem).toBeDefined()
      expect(problem?.message).not.toMatch(/%field%|\{\{|validation\./)
      if (language === 'zh') {
        expect(problem?.message).toMatch(/[\u4e00-\u9fff]/)
        expect(error.message).toMatch(/[\u4e00-\u9fff]/)
      }
    })
  })

  it('takes phone numbers of other countries than those of the addresses', async () => {
    const sender = testParty({ phone: '+6281234567890' })
    const receiver = testReceiver({ phone: '+6591234567' })
    const { status, body } = await create(parcelBody({ sender, receiver }))
    expect([status, body.sender?.phone, body.receiver?.phone]).toEqual([200, '+6281234567890', '+6591234567'])
  })

  it('names the weight limit, which differs by carrier', async () => {
    const { error } = await create(parcelBody({ weightGrams: 30_001 }))
    expect(error.message).toContain('30.00\u00a0kg')
    expect(error.details).toEqual({ limitGrams: 30_000 })
    expect((await create(parcelBody({ weightGrams: 30_000 }))).status).toBe(200)
    expect((await create(parcelBody({ weightGrams: 30_001, carrier: 'dhl' }))).status).toBe(200)
  })

  it('reports all invalid fields at once', async () => {
    const { error } = await create(
      parcelBody({
        weightGrams: 99_000,
        sender: testParty({ postcode: '00001' }),
        receiver: testReceiver({ postcode: '00002' }),
      }),
    )
    expect(error.code).toBe('validation')
    expect(error.errors?.map(({ field }) => field)).toEqual(['weightGrams', 'sender.postcode', 'receiver.postcode'])
  })

  it('accepts only self-collection stations for the service, and clears stations that the mode ignores', async () => {
    const warehouse = await create(parcelBody({ deliveryMode: 'D2P', selfCollectionStationId: stations.warehouse }))
    expect(warehouse.error.errors?.[0]?.field).toBe('selfCollectionStationId')
    const right = await create(
      parcelBody({ deliveryMode: 'D2P', selfCollectionStationId: stations.collects, addToCart: true }),
    )
    expect(right.body).toMatchObject({ status: 'incart', selfCollectionStationId: stations.collects })
    const home = await create(parcelBody({ deliveryMode: 'D2D', selfCollectionStationId: stations.collects }))
    expect(home.body.selfCollectionStationId).toBeNull()
  })

  it('saves the edit of only one of two concurrent editors, and returns a conflict to the other', async () => {
    const { body: draft } = await create({ reference: 'one' })
    const edit = (reference: string, version: number) =>
      test.call(updateParcel, { body: { id: draft.id, version, reference }, token: owner.token })
    const answers = await Promise.all([edit('two', 1), edit('three', 1)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.error.code).toBe('version_conflict')
    const won = answers.find(({ status }) => status === 200)?.body
    const now = await test.call(getParcel, { params: { id: draft.id }, token: owner.token })
    expect(now.body).toMatchObject({ reference: won?.reference, version: 2 })
    expect((await edit('four', 2)).status).toBe(200)
  })

  it('reprices an edited parcel in the cart, and takes it out if it is incomplete', async () => {
    const { body: parcel } = await create(parcelBody({ addToCart: true }))
    const heavier = await test.call(updateParcel, {
      body: { ...parcelBody({ weightGrams: 9000 }), id: parcel.id, version: parcel.version },
      token: owner.token,
    })
    expect(heavier.body.status).toBe('incart')
    expect(heavier.body.priceMinor).toBeGreaterThan(parcel.priceMinor ?? Infinity)
    const emptied = await test.call(updateParcel, {
      body: { ...parcelBody(), contentType: null, id: parcel.id, version: heavier.body.version },
      token: owner.token,
    })
    expect(emptied.body).toMatchObject({ status: 'pending', missing: ['contentType'], price: null, priceMinor: null })
    expect(await events(parcel.id)).toEqual(['taken_out', 'added_to_cart', 'created'])
    const again = await test.call(updateParcel, {
      body: { ...parcelBody({ addToCart: true }), id: parcel.id, version: emptied.body.version },
      token: owner.token,
    })
    expect(again.body.status).toBe('incart')
  })

  it('detaches a parcel from its unpaid order when it is edited or taken out of the cart', async () => {
    const orderId = newId()
    for (const how of ['edit', 'take out'] as const) {
      const { body: parcel } = await create(parcelBody({ addToCart: true }))
      await tx(test.deps.db, async (trx) => {
        await bindToOrder(trx, await lockParcels(trx, owner.accountId, [parcel.id]), orderId)
      })
      const bound = await test.call(getParcel, { params: { id: parcel.id }, token: owner.token })
      expect(bound.body).toMatchObject({ orderId, status: 'incart', version: parcel.version })
      if (how === 'edit') {
        await test.call(updateParcel, {
          body: { ...parcelBody(), id: parcel.id, version: parcel.version },
          token: owner.token,
        })
      } else await test.call(takeOutOfCart, { body: { ids: [parcel.id] }, token: owner.token })
      const { body } = await test.call(getParcel, { params: { id: parcel.id }, token: owner.token })
      expect(body.orderId).toBeNull()
    }
  })

  it('refuses to edit a paid or moving parcel, and names its status in the language of the caller', async () => {
    const paidParcel = await makeParcel(test, owner, { status: 'pending_pickup' })
    const edit = (language: string) =>
      test.call(updateParcel, {
        body: { ...parcelBody(), id: paidParcel.id, version: paidParcel.version },
        token: owner.token,
        language,
      })
    const english = await edit('en')
    expect([english.status, english.error.code]).toEqual([409, 'transition_forbidden'])
    expect(english.error.message).toContain('Waiting for pickup')
    expect(english.error.details).toMatchObject({ status: 'pending_pickup' })
    expect((await edit('zh')).error.message).toContain('等待取件')
    for (const call of [removeParcels, takeOutOfCart, addToCart]) {
      const { status, error } = await test.call(call, { body: { ids: [paidParcel.id] }, token: owner.token })
      expect([status, error.code]).toEqual([409, 'transition_forbidden'])
    }
  })

  it('puts all selected drafts in the cart or none, and lists the missing fields of each', async () => {
    const good = (await create(parcelBody())).body
    const bad = (await create({ ...parcelBody(), receiver: null, weightGrams: null })).body
    const refused = await test.call(addToCart, { body: { ids: [good.id, bad.id] }, token: owner.token })
    expect([refused.status, refused.error.code]).toEqual([422, 'parcel_incomplete'])
    expect(refused.error.details).toEqual({ parcels: [{ id: bad.id, missing: ['receiver', 'weightGrams'] }] })
    expect(refused.error.errors?.map(({ field }) => field)).toEqual(['receiver', 'weightGrams'])
    const accepted = await test.call(addToCart, { body: { ids: [good.id] }, token: owner.token })
    expect(accepted.body.items[0]).toMatchObject({ id: good.id, status: 'incart' })
    const out = await test.call(takeOutOfCart, { body: { ids: [good.id] }, token: owner.token })
    expect(out.body.items[0]).toMatchObject({ status: 'pending', priceMinor: null })
  })

  it('deletes drafts and parcels in the cart permanently', async () => {
    const draft = (await create({})).body
    const inCart = (await create(parcelBody({ addToCart: true }))).body
    const { status } = await test.call(removeParcels, { body: { ids: [draft.id, inCart.id] }, token: owner.token })
    expect(status).toBe(200)
    expect((await test.call(getParcel, { params: { id: draft.id }, token: owner.token })).status).toBe(404)
    const events = test.deps.db.selectFrom('tracking_events').select('id').where('parcel_id', '=', inCart.id)
    expect(await events.execute()).toEqual([])
  })

  it('returns 404 for drafts of other accounts', async () => {
    const stranger = await createCustomer(test)
    const { body: draft } = await create(parcelBody())
    const body = { ids: [draft.id] }
    for (const call of [addToCart, takeOutOfCart, removeParcels]) {
      expect((await test.call(call, { body, token: stranger.token })).status).toBe(404)
    }
    const change = { ...parcelBody(), id: draft.id, version: 1 }
    const edit = await test.call(updateParcel, { body: change, token: stranger.token })
    expect(edit.status).toBe(404)
    expect((await test.call(getParcel, { params: { id: draft.id }, token: owner.token })).body.version).toBe(1)
  })

  it('refuses members without the right to create and suspended accounts, but lets both view parcels', async () => {
    const company = await createCustomer(test, { userType: 'corporate' })
    const member = await createMember(test, company, ['parcels.view_all'])
    const suspended = await createCustomer(test, { accountStatus: 'inactive' })
    const draft = await makeParcel(test, company)
    expect((await create(parcelBody(), member.token)).error.code).toBe('forbidden')
    expect((await create(parcelBody(), suspended.token)).error.code).toBe('account_suspended')
    const view = await test.call(getParcel, { params: { id: draft.id }, token: member.token })
    expect(view.body.allowedActions).toEqual([])
    expect((await test.call(listParcels, { token: suspended.token })).status).toBe(200)
  })
})
