/** Pickups of paid orders. */
import { listPickupRequests } from '@waybill/contract/pickups/pickups'
import type { TestApp } from '../app.ts'
import type { TestCustomer } from './accounts.ts'
import { payCredits, placeOrder, testPickup } from './orders.ts'
import { testParty } from './parcels.ts'
import { fundWallet, setWalletPin } from './wallet.ts'

let doors = 0

/** A paid order with its pickup at a new address; at the same address it would join an earlier visit. */
export async function requestPickup(test: TestApp, customer: TestCustomer, count = 1) {
  await setWalletPin(test, customer)
  await fundWallet(test, customer)
  const pickup = testPickup(test, { address: testParty({ line1: `${++doors} Jalan Telawi` }) })
  await payCredits(test, customer, await placeOrder(test, customer, { count, mode: 'D2D', pickup }))
  const { body } = await test.call(listPickupRequests, { token: customer.token })
  const [newest] = body.items
  if (!newest) throw new Error('no pickup')
  return newest
}

/** Sets the status of a rider's task, without the scans that lead to it. */
export const setPickupStatus = (test: TestApp, id: string, status: string) =>
  test.deps.db.updateTable('pickup_requests').set({ status }).where('id', '=', id).execute()
