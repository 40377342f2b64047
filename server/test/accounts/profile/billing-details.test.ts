import { getBillingDetails, putBillingDetails } from '@waybill/contract/accounts/billing-details'
import { getInvoice } from '@waybill/contract/orders/orders'
import { expect, it } from 'vitest'
import { buildTestApp } from '../../testing/app.ts'
import { createCustomer } from '../../testing/factories/accounts.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { payCredits, placeOrder } from '../../testing/factories/orders.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'

it("prints the buyer's numbers and address on invoices as they were when the order was placed", async () => {
  const test = await buildTestApp()
  await seedTestNetwork(test)
  const customer = await createCustomer(test, { userType: 'corporate' })
  const { token } = customer
  await setWalletPin(test, customer)
  await fundWallet(test, customer)
  const { version } = (await test.call(getBillingDetails, { token })).body
  const body = {
    name: 'Kedai Roti Sdn Bhd',
    registrationNumber: '202001000001',
    taxNumber: 'C1234567890',
    address: '3, Jalan Satu\n50000 Kuala Lumpur',
    version,
  }
  expect((await test.call(putBillingDetails, { token, body })).body).toMatchObject({ ...body, version: version + 1 })
  expect((await test.call(putBillingDetails, { token, body })).error.code).toBe('version_conflict')
  const empty = await test.call(putBillingDetails, { token, body: { ...body, name: ' ', version: version + 1 } })
  expect(empty.error.errors?.[0]?.field).toBe('name')

  const order = await placeOrder(test, customer)
  await test.call(putBillingDetails, { token, body: { ...body, address: 'Elsewhere', version: version + 1 } })
  await payCredits(test, customer, order)
  const invoice = await test.call(getInvoice, { token, params: { id: order.id } })
  expect(invoice.body.buyer).toMatchObject({
    name: body.name,
    registrationNumber: body.registrationNumber,
    taxNumber: body.taxNumber,
    address: body.address,
  })
})
