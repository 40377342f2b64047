import { createOrder } from '@waybill/contract/orders/orders'
import { addToCart } from '@waybill/contract/parcels/cart'
import { createParcel, updateParcel } from '@waybill/contract/parcels/parcels'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { testReceiver } from '../../testing/factories/parcels.ts'
import { type Body, parcel } from '../customs/gifts.ts'

describe('decisions and input of the sender', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
  })
  const wrongState = testReceiver({ state: 'Johor' })
  const home = (overrides: Partial<Body> = {}): Body =>
    parcel({ scope: 'domestic', customs: null, receiver: wrongState, ...overrides })

  it('reports a contradiction before the cart, and records who overrides it', async () => {
    const draft = await test.call(createParcel, { body: home(), token: owner.token })
    expect(draft.status).toBe(200)
    const refused = await test.call(addToCart, { body: { ids: [draft.body.id] }, token: owner.token })
    expect([refused.status, refused.error.code]).toEqual([422, 'address_contradiction'])
    expect(refused.error.errors?.[0]).toMatchObject({ field: 'receiver.state' })
    expect(refused.error.details?.override).toEqual(['receiver.state'])
    const overridden = await test.call(updateParcel, {
      body: { ...home({ override: ['receiver.state'], addToCart: true }), id: draft.body.id, version: 1 },
      token: owner.token,
    })
    expect(overridden.body).toMatchObject({
      status: 'incart',
      overrides: [{ field: 'receiver.state', written: 'Johor', postcode: '10300', by: owner.userId }],
    })
    // A different contradiction needs a separate override.
    const other = await test.call(updateParcel, {
      body: {
        ...home({ receiver: testReceiver({ state: 'Perak' }) }),
        id: draft.body.id,
        version: overridden.body.version,
      },
      token: owner.token,
    })
    expect(other.error.code).toBe('address_contradiction')
  })

  it('creates one parcel for a repeated request, and refuses a different body with the same key', async () => {
    const key = newId()
    const send = (reference: string) =>
      test.call(createParcel, { body: { reference }, token: owner.token, headers: { 'idempotency-key': key } })
    const [first, second] = await Promise.all([send('one'), send('one')])
    expect(second.body.id).toBe(first.body.id)
    expect((await send('one')).body.id).toBe(first.body.id)
    expect((await send('two')).error.code).toBe('idempotency_conflict')
  })

  it('stores the fields of an incomplete party until it is complete', async () => {
    const { body } = await test.call(createParcel, {
      body: { unfinished: { receiver: { contactName: 'Ahm', phone: '+601' } } },
      token: owner.token,
    })
    expect(body.unfinished).toEqual({ sender: null, receiver: { contactName: 'Ahm', phone: '+601' } })
    const whole = await test.call(updateParcel, {
      body: { id: body.id, version: 1, receiver: testReceiver(), unfinished: body.unfinished },
      token: owner.token,
    })
    expect(whole.body.unfinished).toBeNull()
  })

  it('collects payment where the receiver gets the parcel', async () => {
    const fits = testReceiver()
    const cod = await test.call(createParcel, {
      body: home({ receiver: fits, codAmountMinor: 5000, addToCart: true }),
      token: owner.token,
    })
    expect(cod.body).toMatchObject({ collectionMode: 'cod', codAmountMinor: 5000, status: 'incart' })
    expect(cod.body.price?.lines.map(({ kind }) => kind)).toContain('cod')
    const mixed = await test.call(createParcel, {
      body: home({ receiver: fits, collectionMode: 'in_store', codAmountMinor: 500 }),
      token: owner.token,
    })
    expect(mixed.error.errors?.[0]?.field).toBe('collectionMode')
    const without = await test.call(createParcel, {
      body: home({ receiver: fits, collectionMode: 'cod' }),
      token: owner.token,
    })
    expect(without.body.missing).toEqual(['codAmountMinor'])
  })

  it.each([
    ['en', 'Cash on delivery must be an amount that coins can make, such as 77.75 or 77.80.'],
    ['zh-CN', '代收货款须为硬币可以付清的金额，例如 77.75 或 77.80。'],
  ])('refuses an amount to collect that no coins make (%s)', async (language, message) => {
    const { token } = owner
    const refused = [422, 'validation', [{ field: 'codAmountMinor', message }]]
    const draft = (await test.call(createParcel, { body: { codAmountMinor: 7775 }, token })).body
    for (const body of [{ codAmountMinor: 7777 }, home({ receiver: testReceiver(), codAmountMinor: 7777 })]) {
      const created = await test.call(createParcel, { body, token, language })
      expect([created.status, created.error.code, created.error.errors]).toEqual(refused)
    }
    const edit = { codAmountMinor: 7777, id: draft.id, version: draft.version }
    const edited = await test.call(updateParcel, { body: edit, token, language })
    expect([edited.status, edited.error.code, edited.error.errors]).toEqual(refused)
  })

  it('lets a parcel keep the amount to collect that it has from before', async () => {
    const { token } = owner
    const body = home({ receiver: testReceiver(), deliveryMode: 'P2D', codAmountMinor: 7775 })
    const { id } = (await test.call(createParcel, { body, token })).body
    await test.deps.db.updateTable('parcels').set({ cod_amount_minor: 7777 }).where('id', '=', id).execute()
    expect((await test.call(addToCart, { body: { ids: [id] }, token })).status).toBe(200)
    const { totalMinor } = (await test.call(priceSummary, { body: { parcelIds: [id] }, token })).body
    const order = { parcelIds: [id], expectedTotalMinor: totalMinor }
    expect((await test.call(createOrder, { body: order, token })).status).toBe(200)
  })

  it('refuses five kilograms as a document', async () => {
    const { error } = await test.call(createParcel, {
      body: {
        ...home({
          receiver: testReceiver(),
          serviceType: 'document',
          contentType: 'document',
          weightGrams: 5000,
          addToCart: true,
        }),
        dimensions: null,
      },
      token: owner.token,
    })
    expect([error.code, error.errors?.[0]?.field]).toEqual(['weight_over_limit', 'weightGrams'])
  })
})
