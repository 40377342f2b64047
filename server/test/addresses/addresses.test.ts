import {
  createAddress,
  getAddress,
  getDefaultAddress,
  listAddresses,
  removeAddress,
  removeAddresses,
  updateAddress,
} from '@waybill/contract/addresses/addresses'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { listActivities } from '../testing/activities.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff } from '../testing/factories/accounts.ts'
import { addAddress, addressBody } from '../testing/factories/addresses.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})

describe('an address', () => {
  it('is stored as written, except for spaces, and read again', async () => {
    const { token } = await createCustomer(test)
    const body = addressBody({ contactName: '  陈伟明 ', email: 'Wei.Ming@Example.com', kind: 'receiver', remarks: '' })
    const creation = await test.call(createAddress, { token, body })
    expect(creation.status).toBe(200)
    expect(creation.body).toMatchObject({
      contactName: '陈伟明',
      email: 'wei.ming@example.com',
      kind: 'receiver',
      remarks: null,
      residential: true,
      isDefault: false,
      version: 1,
    })
    expect((await test.call(getAddress, { token, params: { id: creation.body.id } })).body).toEqual(creation.body)
  })

  it('is stored once if it is sent again after a lost answer', async () => {
    const { token } = await createCustomer(test)
    const options = { token, body: addressBody(), headers: { 'idempotency-key': newId() } }
    const [first, second] = [await test.call(createAddress, options), await test.call(createAddress, options)]
    expect(second.body).toEqual(first.body)
    expect((await test.call(listAddresses, { token, query: {} })).body.total).toBe(1)
  })

  it('stores a state under its usual name', async () => {
    const customer = await createCustomer(test)
    const { state } = await addAddress(test, customer, { postcode: '10400', city: 'George Town', state: 'Penang' })
    expect(state).toBe('Pulau Pinang')
    expect((await addAddress(test, customer, { state: 'Wp Kuala Lumpur' })).state).toBe('Kuala Lumpur')
  })

  it('is changed if the version is current, and rejects a stale one', async () => {
    const customer = await createCustomer(test)
    const { token } = customer
    const { id } = await addAddress(test, customer)
    const params = { id }
    const change = { ...addressBody({ line1: '14, Jalan Kiara 3' }), version: 1 }
    const first = await test.call(updateAddress, { token, params, body: change })
    expect(first.body).toMatchObject({ line1: '14, Jalan Kiara 3', version: 2 })
    const stale = await test.call(updateAddress, { token, params, body: { ...change, line1: '16, Jalan Kiara 3' } })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    expect((await test.call(getAddress, { token, params })).body.line1).toBe('14, Jalan Kiara 3')
  })

  it('is not found after its removal', async () => {
    const customer = await createCustomer(test)
    const params = { id: (await addAddress(test, customer)).id }
    expect((await test.call(removeAddress, { token: customer.token, params })).body).toEqual({ ok: true })
    expect((await test.call(getAddress, { token: customer.token, params })).status).toBe(404)
    expect((await test.call(removeAddress, { token: customer.token, params })).status).toBe(404)
  })

  it('is removed with others, or none of them if one is of another account', async () => {
    const customer = await createCustomer(test)
    const [one, two] = [await addAddress(test, customer), await addAddress(test, customer)]
    const foreign = await addAddress(test, await createCustomer(test))
    const last = await addAddress(test, customer)
    const remove = (ids: string[]) => test.call(removeAddresses, { token: customer.token, body: { ids } })
    expect((await remove([one.id, foreign.id])).status).toBe(404)
    expect((await remove([])).error.errors?.map(({ field }) => field)).toEqual(['ids'])
    const book = async () => (await test.call(listAddresses, { token: customer.token })).body.items.map(({ id }) => id)
    expect(await book()).toHaveLength(3)
    expect((await remove([one.id, two.id, one.id])).body).toEqual({ ok: true })
    expect(await book()).toEqual([last.id])
    const actions = (await listActivities(test, { userId: customer.userId })).map(({ action }) => action)
    expect(actions.filter((action) => action === 'addresses.remove')).toHaveLength(2)
  })

  it('writes an entry to the activity log of its account', async () => {
    const customer = await createCustomer(test)
    const { id } = await addAddress(test, customer)
    await test.call(removeAddress, { token: customer.token, params: { id } })
    expect(await listActivities(test, { userId: customer.userId })).toMatchObject([
      { action: 'addresses.create', account_id: customer.accountId },
      { action: 'addresses.remove', account_id: customer.accountId },
    ])
  })
})

describe('access to an address', () => {
  it('is limited to its own account', async () => {
    const owner = await createCustomer(test)
    const stranger = await createCustomer(test)
    const address = await addAddress(test, owner)
    const params = { id: address.id }
    expect((await test.call(getAddress, { token: stranger.token, params })).status).toBe(404)
    const body = { ...addressBody({ line1: 'Mine now' }), version: 1 }
    expect((await test.call(updateAddress, { token: stranger.token, params, body })).status).toBe(404)
    expect((await test.call(removeAddress, { token: stranger.token, params })).status).toBe(404)
    expect((await test.call(listAddresses, { token: stranger.token })).body.total).toBe(0)
    expect((await test.call(getAddress, { token: owner.token, params })).body).toEqual(address)
  })

  it('allows all members to read, and members with the permission to write', async () => {
    const owner = await createCustomer(test, { userType: 'corporate' })
    const member = (permissions: 'addresses'[]) =>
      createCustomer(test, { accountId: owner.accountId, userType: 'corporate', isOwner: false, permissions })
    const clerk = await member(['addresses'])
    const reader = await member([])
    await addAddress(test, clerk)
    expect((await test.call(listAddresses, { token: reader.token })).body.total).toBe(1)
    expect((await test.call(createAddress, { token: reader.token, body: addressBody() })).status).toBe(403)
    expect((await test.call(listAddresses)).status).toBe(401)
    expect((await test.call(listAddresses, { token: (await createStaff(test)).token })).status).toBe(403)
  })
})

describe('the default sender', () => {
  const getDefault = async (token: string) => (await test.call(getDefaultAddress, { token })).body.address

  it('is unique: marking another address moves the mark', async () => {
    const customer = await createCustomer(test)
    expect(await getDefault(customer.token)).toBeNull()
    const first = await addAddress(test, customer, { isDefault: true })
    const second = await addAddress(test, customer, { isDefault: true, line1: 'Second' })
    expect((await getDefault(customer.token))?.id).toBe(second.id)
    const body = { ...addressBody({ isDefault: true }), version: 2 }
    const back = await test.call(updateAddress, { token: customer.token, params: { id: first.id }, body })
    expect(back.status).toBe(200)
    expect((await getDefault(customer.token))?.id).toBe(first.id)
    const { items } = (await test.call(listAddresses, { token: customer.token })).body
    expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  it('stays unique when several are marked at the same moment', async () => {
    const customer = await createCustomer(test)
    const body = addressBody({ isDefault: true })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => test.call(createAddress, { token: customer.token, body })),
    )
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const { items } = (await test.call(listAddresses, { token: customer.token })).body
    expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  it('keeps its mark when the change that would move it is rejected', async () => {
    const customer = await createCustomer(test)
    const first = await addAddress(test, customer, { isDefault: true })
    const second = await addAddress(test, customer)
    const body = { ...addressBody({ isDefault: true }), version: 9 }
    const refusal = await test.call(updateAddress, { token: customer.token, params: { id: second.id }, body })
    expect(refusal.status).toBe(409)
    expect((await getDefault(customer.token))?.id).toBe(first.id)
  })

  it('cannot be an address of the kind receiver', async () => {
    const { token } = await createCustomer(test)
    const body = addressBody({ isDefault: true, kind: 'receiver' })
    const { error } = await test.call(createAddress, { token, body })
    expect(error).toMatchObject({ code: 'validation', errors: [{ field: 'isDefault' }] })
  })
})

describe('checks of an address', () => {
  const getRefusal = async (overrides: Parameters<typeof addressBody>[0], language = 'en') => {
    const { token } = await createCustomer(test)
    const { status, error } = await test.call(createAddress, { token, language, body: addressBody(overrides) })
    expect(status).toBe(422)
    return error
  }

  it('require a Malaysian postcode that exists', async () => {
    const error = await getRefusal({ postcode: '99999' })
    expect(error).toMatchObject({ code: 'postcode_unknown', errors: [{ field: 'postcode' }] })
  })

  it('require the state of the postcode, and name it in the message', async () => {
    const error = await getRefusal({ state: 'Johor' })
    expect(error).toMatchObject({
      code: 'city_mismatch',
      errors: [{ field: 'state', message: '50480 is in Kuala Lumpur.' }],
    })
  })

  it('reject a city of another state, but accept the name of a quarter', async () => {
    const error = await getRefusal({ city: 'Johor Bahru' }, 'zh-CN')
    expect(error.errors?.[0]).toMatchObject({ field: 'city', message: expect.stringContaining('Kuala Lumpur') })
    const several = await getRefusal({ postcode: '84300', state: 'Johor', city: 'Ipoh' }, 'zh-CN')
    expect(several.errors?.[0]?.message).toContain('Bukit Pasir、Muar')
    const customer = await createCustomer(test)
    expect((await addAddress(test, customer, { city: 'Mont Kiara' })).city).toBe('Mont Kiara')
  })

  it('store an overridden contradiction, and keep the override while the text is unchanged', async () => {
    const { token } = await createCustomer(test)
    const doubtful = addressBody({ city: 'Johor Bahru', state: 'Johor' })
    const refusal = await test.call(createAddress, { token, body: doubtful })
    expect(refusal.error).toMatchObject({ code: 'city_mismatch', details: { override: ['state', 'city'] } })
    const half = await test.call(createAddress, { token, body: { ...doubtful, override: ['state'] } })
    expect(half.error.errors).toMatchObject([{ field: 'city' }])
    const creation = await test.call(createAddress, { token, body: { ...doubtful, override: ['state', 'city'] } })
    expect(creation.body).toMatchObject({ city: 'Johor Bahru', state: 'Johor', overridden: ['state', 'city'] })
    const params = { id: creation.body.id }
    const newName = { ...doubtful, contactName: 'Renamed' }
    const secondUpdate = await test.call(updateAddress, { token, params, body: { ...newName, version: 1 } })
    expect(secondUpdate.body).toMatchObject({ contactName: 'Renamed', overridden: ['state', 'city'] })
    const inIpoh = { ...newName, city: 'Ipoh' }
    const other = await test.call(updateAddress, { token, params, body: { ...inIpoh, version: 2 } })
    expect(other.error).toMatchObject({ code: 'city_mismatch', errors: [{ field: 'city' }] })
    const { overridden } = await test.deps.db
      .selectFrom('addresses')
      .select('overridden')
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow()
    expect(overridden).toMatchObject([
      { field: 'state', written: 'Johor', postcode: '50480' },
      { field: 'city', written: 'Johor Bahru', postcode: '50480' },
    ])
  })

  it('allow an override only of contradictions', async () => {
    const { token } = await createCustomer(test)
    const body = {
      ...addressBody({ postcode: '99999', state: 'Johor' }),
      override: ['state' as const, 'city' as const],
    }
    const { error } = await test.call(createAddress, { token, body })
    expect(error.code).toBe('postcode_unknown')
    expect(error.details?.override).toBeUndefined()
  })

  it('accept a phone number that is valid in its own country, at an address anywhere', async () => {
    expect(await getRefusal({ phone: `+60112${'3'.repeat(9)}` })).toMatchObject({ code: 'phone_invalid' })
    const customer = await createCustomer(test)
    const johor = { postcode: '80000', city: 'Johor Bahru', state: 'Johor' }
    expect((await addAddress(test, customer, { ...johor, phone: '+6591234567' })).phone).toBe('+6591234567')
    const abroad = { country: 'sg', postcode: '238801', city: 'Singapore', state: 'Singapore' }
    expect((await addAddress(test, customer, { ...abroad, phone: '+60123847265' })).phone).toBe('+60123847265')
    const tooShort = await getRefusal({ ...johor, phone: '+651234567' })
    expect(tooShort).toMatchObject({ code: 'phone_invalid', errors: [{ field: 'phone' }] })
    expect(tooShort.errors?.[0]?.message).toContain('+ and its country code')
  })

  it('report all invalid fields together', async () => {
    const error = await getRefusal({ postcode: '99999', phone: `+6011${'2'.repeat(10)}` })
    expect(error.code).toBe('validation')
    expect(error.errors?.map(({ field }) => field).sort()).toEqual(['phone', 'postcode'])
  })
})
