import { labelValues } from '@waybill/contract/ground/enums/labels'
import { type DeliveryMode, deliveryModeLabels, parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { createOrder } from '@waybill/contract/orders/orders'
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { getParcelActions, recallParcel, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { addToCart, removeParcels, takeOutOfCart } from '@waybill/contract/parcels/cart'
import { getCustomsDocument } from '@waybill/contract/parcels/customs'
import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { previewNotes } from '@waybill/contract/parcels/labels'
import { listOutstanding, payInStore, payOutstanding } from '@waybill/contract/parcels/outstanding'
import {
  createParcel as createParcelCall,
  getParcel,
  type ParcelAction,
  parcelActions,
  updateParcel,
} from '@waybill/contract/parcels/parcels'
import { contestWeighing, reweighParcel } from '@waybill/contract/parcels/weighing'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow } from '../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { placeOrder, testPickup } from '../testing/factories/orders.ts'
import { createParcel, parcelBody } from '../testing/factories/parcels.ts'
import { expectSoundBooks, fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'

type Answer = { status: number; error: { code?: string; details?: unknown } }
const modes = labelValues(deliveryModeLabels)
const statuses = labelValues(parcelStatusLabels)

describe('the allowed actions of a parcel', () => {
  let test: TestApp
  let owner: TestCustomer
  let token: string
  let stationId: string
  /** The fees as quoted for the first parcel. */
  let fees: Record<'recall' | 'return', number>
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    token = owner.token
    await fundWallet(test, owner, 10_000_000)
    await setWalletPin(test, owner)
    stationId = (await findCounter(test)).there
    const { id } = await createParcel(test, owner, { status: 'inbound' })
    const { body } = await test.call(getParcelActions, { token, params: { id } })
    fees = { recall: body.recall.fee.totalMinor, return: body.return.fee.totalMinor }
  })

  const place = (status: ParcelRow['status'], mode: DeliveryMode) =>
    createParcel(test, owner, {
      status,
      delivery_mode: mode,
      self_collection_station_id: mode[2] === 'P' ? stationId : null,
    }).catch(() => null)
  const body = (mode: DeliveryMode) =>
    parcelBody({ deliveryMode: mode, selfCollectionStationId: mode[2] === 'P' ? stationId : null })
  const getMode = (row: ParcelRow) => row.delivery_mode as DeliveryMode
  const paying = (row: ParcelRow, of: 'recall' | 'return') => ({
    token,
    params: { id: row.id },
    body: { version: row.version, expectedFeeMinor: fees[of], pin: testPin },
  })

  /** Each action as a call by a customer. */
  const attempts: Record<ParcelAction, (row: ParcelRow) => Promise<Answer>> = {
    edit: (row) =>
      test.call(updateParcel, { token, body: { ...body(getMode(row)), id: row.id, version: row.version } }),
    add_to_cart: ({ id }) => test.call(addToCart, { token, body: { ids: [id] } }),
    take_out_of_cart: ({ id }) => test.call(takeOutOfCart, { token, body: { ids: [id] } }),
    remove: ({ id }) => test.call(removeParcels, { token, body: { ids: [id] } }),
    async checkout(row) {
      const pickup = getMode(row)[0] === 'D' ? testPickup(test) : null
      const checkOut = (expectedTotalMinor: number) =>
        test.call(createOrder, { token, body: { parcelIds: [row.id], expectedTotalMinor, pickup } })
      const first = await checkOut(0)
      const details = first.error?.details as { totalMinor?: number } | undefined
      return first.error?.code === 'price_changed' ? checkOut(details?.totalMinor ?? 0) : first
    },
    pay_outstanding: ({ id, amount_due_minor }) =>
      test.call(payOutstanding, {
        token,
        body: { parcelIds: [id], totalSeenMinor: Math.max(1, amount_due_minor), pin: testPin },
      }),
    contest_weight: ({ id }) => test.call(contestWeighing, { token, params: { id }, body: { reason: 'No' } }),
    async choose_delivery({ id }) {
      const { dates } = (await test.call(getDeliveryChoice, { token, params: { id } })).body
      const choice = { kind: 'retry' as const, date: dates?.[0] ?? '2030-01-02', expectedFeeMinor: 0 }
      return test.call(makeDeliveryChoice, { token, params: { id }, body: choice })
    },
    cancel: ({ id }) => test.call(cancelParcels, { token, body: { ids: [id] } }),
    recall: (row) => test.call(recallParcel, paying(row, 'recall')),
    return: (row) => test.call(returnParcel, paying(row, 'return')),
    print_note: ({ id }) => test.call(previewNotes, { token, body: { ids: [id] } }),
    print_customs: ({ id }) => test.call(getCustomsDocument, { token, params: { id } }),
    repeat: (row) => test.call(createParcelCall, { token, body: body(getMode(row)) }),
  }
  /**
   * Actions that do not depend on the delivery mode: one mode per status is enough. `contest_weight` and the customs
   * documents need more than a status.
   */
  const anyMode: readonly ParcelAction[] = ['edit', 'remove', 'print_note', 'print_customs', 'repeat', 'contest_weight']

  it.each(modes)('succeed at every status, while all other actions are refused (%s)', async (mode) => {
    const reachedStatuses: string[] = []
    for (const [n, status] of statuses.entries()) {
      const row = await place(status, mode)
      // No single mode leads to every status, but all modes together do. `outstanding` has separate tests.
      if (!row || status === 'outstanding') continue
      reachedStatuses.push(status)
      const allowedActions = (await test.call(getParcel, { token, params: { id: row.id } })).body.allowedActions
      const { allowed } = (await test.call(getParcelActions, { token, params: { id: row.id } })).body
      expect(allowed).toEqual(allowedActions)
      expect(allowedActions).toContain('repeat')
      const candidates = parcelActions.filter((action) => !anyMode.includes(action) || modes[n % modes.length] === mode)
      const forbiddenActions = candidates.filter((action) => !allowedActions.includes(action))
      const answers = await Promise.all(forbiddenActions.map((action) => attempts[action](row)))
      for (const [at, action] of forbiddenActions.entries()) {
        const got = answers[at]?.status ?? 0
        // 404 and 422 are fine here: the parcel has no weighing to contest and no document to print.
        const right = ['contest_weight', 'print_note', 'print_customs'].includes(action) ? [404, 409, 422] : [409]
        expect({ status, mode, action, right: right.includes(got) ? 'refused' : got }).toEqual({
          status,
          mode,
          action,
          right: 'refused',
        })
      }
      expect((await test.call(getParcel, { token, params: { id: row.id } })).body).toMatchObject({
        status,
        version: row.version,
      })
      for (const action of candidates.filter((each) => allowedActions.includes(each))) {
        const fresh = (await place(status, mode)) as ParcelRow
        const answer = await attempts[action](fresh)
        expect({ status, mode, action, answer: answer.status, code: answer.error?.code }).toEqual({
          status,
          mode,
          action,
          answer: 200,
          code: undefined,
        })
      }
    }
    expect(reachedStatuses.length).toBeGreaterThan(11)
    await expectSoundBooks(test)
  })

  it.each(['P2D', 'P2P'] as const)('include paying an amount that is due at a counter (%s)', async (mode) => {
    const order = await placeOrder(test, owner)
    const params = { id: order.id }
    await test.call(payInStore, { token, params, body: { expectedTotalMinor: order.totalMinor } })
    const { items } = (await test.call(listOutstanding, { token })).body
    expect(items.map(({ orderId }) => orderId)).toContain(order.id)
    const [{ id = '' } = {}] = order.parcels
    expect((await parcelNow(test, owner, id)).allowedActions).toContain('pay_outstanding')
    const row = { id, amount_due_minor: order.totalMinor, delivery_mode: mode } as ParcelRow
    expect((await attempts.pay_outstanding(row)).status).toBe(200)
    expect((await parcelNow(test, owner, id)).allowedActions).not.toContain('pay_outstanding')
    expect((await attempts.pay_outstanding(row)).status).toBe(409)
  })

  it('include paying and contesting the difference for a parcel heavier than declared', async () => {
    const { counter } = await findCounter(test)
    const { id } = await handedOver(test, owner, counter)
    const heavy = { token: counter.token, params: { id }, body: { weightGrams: 5200 } }
    const due = (await test.call(reweighParcel, heavy)).body.dueMinor
    const parcel = await parcelNow(test, owner, id)
    expect(parcel.allowedActions).toEqual(['pay_outstanding', 'contest_weight', 'print_note', 'repeat'])
    const row = { id, amount_due_minor: due, version: parcel.version, delivery_mode: 'P2D' } as ParcelRow
    for (const action of ['edit', 'remove', 'cancel', 'recall', 'return', 'checkout'] as const)
      expect([action, (await attempts[action](row)).status]).toEqual([action, 409])
    expect((await attempts.contest_weight(row)).status).toBe(200)
    expect((await parcelNow(test, owner, id)).allowedActions).toEqual(['pay_outstanding', 'print_note', 'repeat'])
    expect((await attempts.contest_weight(row)).status).toBe(409)
    expect((await attempts.pay_outstanding(row)).status).toBe(200)
  })
})
