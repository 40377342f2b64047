import { priceServices } from '@waybill/contract/pricing/pricing'
import { quoteForCustomer } from '@waybill/contract/pricing/staff-quotes'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestStaff } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'

describe('quotes by the sales staff', () => {
  let test: TestApp
  let sales: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    sales = await createStaff(test, { role: 'inside_sales_representative' })
  })

  const parcel = { sender: { postcode: '50450' }, receiver: { postcode: '88000' }, weightGrams: 2_000 }
  const quote = (customerEmail: string | null, changes: object = {}) =>
    test.call(quoteForCustomer, { token: sales.token, body: { ...parcel, customerEmail, ...changes } })

  it('are those that the customer sees, and the general ones for a prospect', async () => {
    const customer = await createCustomer(test, { name: 'Kedai Buku' })
    const set = { discount_type: 'percentage', discount_value: 2_000 }
    await test.deps.db.updateTable('accounts').set(set).where('id', '=', customer.accountId).execute()
    const own = await test.call(priceServices, { token: customer.token, body: parcel })
    const general = await test.call(priceServices, { body: parcel })
    const forCustomer = await quote(customer.email.toUpperCase())
    expect(forCustomer.body.account).toEqual({ id: customer.accountId, name: 'Kedai Buku', hasOwnPrices: true })
    expect(forCustomer.body.items).toEqual(own.body.items)
    const forProspect = await quote(null)
    expect(forProspect.body).toEqual({ account: null, items: general.body.items })
    expect(forProspect.body.items[0]?.price?.totalMinor).toBeGreaterThan(
      forCustomer.body.items[0]?.price?.totalMinor ?? Infinity,
    )
    const plain = await createCustomer(test)
    expect((await quote(plain.email)).body.account?.hasOwnPrices).toBe(false)
  })

  it('include parcels abroad, with insurance and cash on delivery', async () => {
    const abroad = { scope: 'international', receiver: { postcode: '0', country: 'sg' } } as const
    const cover = { insuredValueMinor: 50_000 }
    const kinds = async (changes: object) => {
      const { items } = (await quote(null, changes)).body
      return items.find(({ open }) => open)?.price?.lines.map(({ kind }) => kind)
    }
    expect(await kinds({ ...abroad, ...cover })).toEqual(expect.arrayContaining(['freight', 'insurance']))
    expect(await kinds({ ...cover, codAmountMinor: 10_000 })).toEqual(expect.arrayContaining(['insurance', 'cod']))
    expect(await kinds({})).not.toContain('cod')
  })

  it('name the invalid field, and are available to staff who manage accounts', async () => {
    const fields = async (customerEmail: string | null, changes: object = {}) =>
      (await quote(customerEmail, changes)).error.errors?.map(({ field }) => field)
    expect(await fields('nobody@example.test')).toEqual(['customerEmail'])
    // The address of a staff user is not a customer.
    expect(await fields(sales.email)).toEqual(['customerEmail'])
    expect(await fields('not an address')).toEqual(['customerEmail'])
    expect(await fields(null, { receiver: { postcode: '99999' } })).toEqual(['receiver.postcode'])
    const clerk = await createStaff(test)
    const answer = await test.call(quoteForCustomer, { token: clerk.token, body: parcel })
    expect(answer.status).toBe(403)
  })
})
