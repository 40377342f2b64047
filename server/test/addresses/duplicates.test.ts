import { type Address, getAddress, listAddresses } from '@waybill/contract/addresses/addresses'
import { dismissDuplicates, listDuplicates, mergeDuplicates } from '@waybill/contract/addresses/duplicates'
import { answerAddressRequest, createAddressRequest, listAddressRequests } from '@waybill/contract/addresses/requests'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { addAddress, addressBody } from '../testing/factories/addresses.ts'

let test: TestApp
beforeAll(async () => {
  test = await buildTestApp()
})

const find = async ({ token }: TestCustomer) => (await test.call(listDuplicates, { token })).body
const key = ({ id, version }: Address) => ({ id, version })

/** The body of an existing address, for merging. */
function toBody(address: Address) {
  const { createdAt: _c, updatedAt: _u, isNew: _n, overridden: _o, ...body } = address
  return body
}

const merge = ({ token }: TestCustomer, keep: Address, remove: Address[], changes: Partial<Address> = {}) =>
  test.call(mergeDuplicates, { token, body: { keep: { ...toBody(keep), ...changes }, remove: remove.map(key) } })

/** The kind of the group that two addresses of a new account form; null if they form none. */
async function findKind(one: Parameters<typeof addressBody>[0], other: Parameters<typeof addressBody>[0]) {
  const owner = await createCustomer(test)
  await addAddress(test, owner, one)
  await addAddress(test, owner, other)
  const { groups } = await find(owner)
  return groups[0]?.kind ?? null
}

describe('duplicate addresses', () => {
  it.each([
    ['the same phone, postcode and line', {}, { contactName: 'Somebody' }, 'same'],
    ['a line that differs in signs and abbreviations', {}, { line1: 'No. 12 JLN KIARA 3' }, 'same'],
    ['a typing error in the street', {}, { line1: '12, Jalan Kiera 3' }, 'similar'],
    ['another postcode at the same phone and line', {}, { postcode: '50490' }, 'similar'],
    ['a new phone at the same name and line', {}, { phone: '+60167788990' }, 'similar'],
    ['a name that is nearly the same', {}, { phone: '+60167788990', contactName: 'Nur Izzati binti Ali' }, 'similar'],
    ['another house of the same street', {}, { phone: '+60167788990', line1: '14, Jalan Kiara 3' }, null],
    ['another person in the same house', {}, { phone: '+60167788990', contactName: 'Tan Ah Kow' }, null],
    ['a second address of the same person', {}, { line1: 'Lot 5, Menara Utara', postcode: '50490' }, null],
  ])('are classified by what differs: %s', async (_, one, other, kind) => {
    expect(await findKind(one, other)).toBe(kind)
  })

  it('form one group, however many there are', async () => {
    const owner = await createCustomer(test)
    for (let n = 0; n < 4; n++) await addAddress(test, owner, { contactName: `Writer ${n}` })
    await addAddress(test, owner, { phone: '+60167788990', contactName: 'Somebody else', line1: '1 Jalan Ampang' })
    const { groups, total } = await find(owner)
    expect(total).toBe(1)
    expect(groups[0]?.addresses).toHaveLength(4)
  })

  it('are merged into one address with the chosen values; default mark and links are kept', async () => {
    const owner = await createCustomer(test)
    const first = await addAddress(test, owner, { kind: 'both', email: 'old@example.com' })
    const link = await test.call(createAddressRequest, { token: owner.token, body: { label: 'Link' } })
    const token = link.body.url.split('/').at(-1) as string
    const { kind: _k, ...receiver } = addressBody({ contactName: 'Nur Izzati binti Ali' }) as Address
    await test.call(answerAddressRequest, { params: { token }, body: receiver })
    const second = await addAddress(test, owner, { kind: 'both', isDefault: true, remarks: 'Ring twice' })
    const [group] = (await find(owner)).groups
    expect(group?.addresses).toHaveLength(3)
    const receiverAddress = group?.addresses.find(({ isNew }) => isNew) as Address
    const choice = { contactName: receiverAddress.contactName, remarks: second.remarks }
    const { body: merged, status } = await merge(owner, first, [second, receiverAddress], choice)
    expect(status).toBe(200)
    expect(merged).toMatchObject({ id: first.id, ...choice, email: 'old@example.com', isDefault: true, isNew: false })
    const { items } = (await test.call(listAddresses, { token: owner.token })).body
    expect(items.map(({ id }) => id)).toEqual([first.id])
    const requests = await test.call(listAddressRequests, { token: owner.token })
    expect(requests.body.items[0]?.addressId).toBe(first.id)
    expect((await find(owner)).total).toBe(0)
  })

  it('are not merged if one of them has changed since', async () => {
    const owner = await createCustomer(test)
    const first = await addAddress(test, owner)
    const second = await addAddress(test, owner)
    const stale = { ...second, version: 7 }
    expect((await merge(owner, first, [stale])).error.code).toBe('version_conflict')
    expect((await merge(owner, first, [first])).error.code).toBe('validation')
    expect((await merge(owner, first, [second], { postcode: '99999' })).error.code).toBe('postcode_unknown')
    expect((await find(owner)).groups[0]?.addresses).toHaveLength(2)
  })

  it('are not shown again after they are dismissed', async () => {
    const owner = await createCustomer(test)
    const one = await addAddress(test, owner)
    const other = await addAddress(test, owner)
    const dismiss = (ids: string[], token = owner.token) => test.call(dismissDuplicates, { token, body: { ids } })
    expect((await dismiss([one.id, newId()])).status).toBe(404)
    expect((await dismiss([one.id, other.id])).body).toEqual({ ok: true })
    expect((await find(owner)).total).toBe(0)
    // A third similar address forms a new group.
    await addAddress(test, owner)
    expect((await find(owner)).total).toBe(1)
  })

  it('are visible only to their own account', async () => {
    const owner = await createCustomer(test)
    const stranger = await createCustomer(test)
    const ownAddress = await addAddress(test, owner)
    const other = await addAddress(test, owner)
    const foreignAddress = await addAddress(test, stranger)
    expect((await find(stranger)).total).toBe(0)
    expect((await merge(stranger, foreignAddress, [ownAddress])).status).toBe(404)
    expect((await merge(stranger, ownAddress, [other])).status).toBe(404)
    const body = { ids: [ownAddress.id, other.id] }
    expect((await test.call(dismissDuplicates, { token: stranger.token, body })).status).toBe(404)
    expect((await test.call(getAddress, { token: owner.token, params: { id: ownAddress.id } })).body).toEqual(
      ownAddress,
    )
    expect((await find(owner)).total).toBe(1)
  })

  it('are found quickly among ten thousand addresses with the same phone and postcode', async () => {
    const owner = await createCustomer(test)
    await sql`
      insert into addresses (account_id, id, contact_name, phone, line1, postcode, city, state, country, created_by)
      select ${owner.accountId}::uuid, gen_random_uuid(), md5(n::text), '+60312345678', 'Lot ' || n || ' Mega Mall',
        '50480', 'Kuala Lumpur', 'Kuala Lumpur', 'my', ${owner.userId}::uuid
      from generate_series(1, 10000) as n`.execute(test.deps.db)
    await addAddress(test, owner, { phone: '+60312345678', line1: 'Lot 77, Mega Mall' })
    // Names and numbers differ, so that only one pair is a duplicate.
    const { groups } = await find(owner)
    expect(groups.map(({ kind, addresses }) => [kind, addresses.length])).toEqual([['same', 2]])
    // Comparing every pair would take fifty million comparisons, which is minutes.
  }, 60_000)
})
