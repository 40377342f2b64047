import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { getInvoice, getOrder } from '@waybill/contract/orders/orders'
import { getParcelActions, recallParcel, returnParcel } from '@waybill/contract/parcels/allowed-actions'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { beforeAll, describe, expect, it } from 'vitest'
import { days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { buildTestApp, type TestApp } from '../testing/app.ts'
import { createCustomer, type TestCustomer } from '../testing/factories/accounts.ts'
import { seedTestNetwork } from '../testing/factories/network.ts'
import { createParcel } from '../testing/factories/parcels.ts'
import { createPayer, expectSoundBooks, fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'

describe('actions of a parcel', () => {
  let test: TestApp
  let owner: TestCustomer
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createPayer(test, { creditsMinor: 1_000_000 })
  })

  const listActions = async (id: string) =>
    (await test.call(getParcelActions, { token: owner.token, params: { id } })).body
  type Fields = Partial<{ version: number; expectedFeeMinor: number; pin: string; token: string; key: string }>
  const move = async (action: 'recall' | 'return', id: string, fields: Fields = {}) => {
    const now = await listActions(id)
    const { token = owner.token, key, ...input } = fields
    return test.call(action === 'recall' ? recallParcel : returnParcel, {
      token,
      params: { id },
      body: { version: now.version, expectedFeeMinor: now[action].fee.totalMinor, pin: testPin, ...input },
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    })
  }
  const balance = async ({ token }: TestCustomer = owner) => (await test.call(getWallet, { token })).body.balanceMinor
  const getStatus = async (id: string) =>
    (await test.call(getParcel, { token: owner.token, params: { id } })).body.status

  it('recalls a parcel for a fee from the wallet, with a separate invoice, in one transaction', async () => {
    const parcel = await createParcel(test, owner, { status: 'outbound' })
    const before = await balance()
    const { recall } = await listActions(parcel.id)
    expect(recall).toMatchObject({ open: true, reason: null, fee: { totalMinor: 530 } })
    expect(recall.fee.lines.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['recall', 500],
      ['tax', 30],
    ])
    const key = newId()
    const answer = await move('recall', parcel.id, { key })
    expect(answer.body.parcel.status).toBe('recall')
    expect(await balance()).toBe(before - 530)
    const id = answer.body.orderId as string
    const order = (await test.call(getOrder, { token: owner.token, params: { id } })).body
    expect(order).toMatchObject({ status: 'completed', parcelCount: 0, paidMinor: 530 })
    const invoice = (await test.call(getInvoice, { token: owner.token, params: { id } })).body
    expect(invoice).toMatchObject({ totalMinor: 530, taxMinor: 30 })
    expect(invoice.lines).toEqual([
      { description: `Recall (${groupTrackingNumber(parcel.tracking_number ?? '')})`, quantity: 1, amountMinor: 500 },
    ])
    await test.settle()
    expect((await test.call(getOrder, { token: owner.token, params: { id } })).body.status).toBe('completed')
  })

  it('refuses to recall a parcel that a rider has, and gives the reason', async () => {
    const parcel = await createParcel(test, owner, { status: 'delivering' })
    const answer = await move('recall', parcel.id)
    expect(answer).toMatchObject({ status: 409, error: { code: 'recall_while_delivering' } })
    expect(answer.error.message).toContain('The rider is delivering the parcel right now (“Out for delivery”)')
    expect((await listActions(parcel.id)).recall).toMatchObject({ open: false, reason: 'recall_while_delivering' })
  })

  it('returns a delivered parcel until the return period ends', async () => {
    const at = (ago: number) => later(test.clock.now(), -days(ago))
    const fresh = await createParcel(test, owner, { status: 'completed', last_event_at: at(13) })
    const old = await createParcel(test, owner, { status: 'collected', delivery_mode: 'P2P', last_event_at: at(15) })
    expect((await listActions(fresh.id)).return.until).toBe(later(fresh.last_event_at as Date, days(14)).toISOString())
    expect((await move('return', fresh.id)).body.parcel.status).toBe('reverse_pickup')
    expect((await move('return', old.id)).error.code).toBe('return_window_over')
    expect(await getStatus(old.id)).toBe('collected')
    const back = await createParcel(test, owner, { status: 'completed', leg: 'return' })
    expect((await move('return', back.id)).error.code).toBe('transition_forbidden')
  })

  it('charges nothing and moves nothing if the fee cannot be paid', async () => {
    const poor = await createCustomer(test)
    await setWalletPin(test, poor)
    const parcel = await createParcel(test, poor, { status: 'inbound' })
    const requestRecall = (fields: Fields = {}) =>
      test.call(recallParcel, {
        token: fields.token ?? poor.token,
        params: { id: parcel.id },
        body: {
          version: fields.version ?? parcel.version,
          expectedFeeMinor: fields.expectedFeeMinor ?? 530,
          ...('pin' in fields ? { pin: fields.pin as string } : { pin: testPin }),
        },
      })
    expect((await requestRecall()).error).toMatchObject({
      code: 'wallet_too_low',
      details: { balanceMinor: 0, neededMinor: 530 },
    })
    expect((await requestRecall({ pin: '111112' })).error.code).toBe('pin_wrong')
    expect((await requestRecall({ expectedFeeMinor: 100 })).error).toMatchObject({
      code: 'price_changed',
      details: { expectedTotalMinor: 100, totalMinor: 530 },
    })
    await fundWallet(test, poor, 530)
    expect((await requestRecall({ version: parcel.version + 1 })).error.code).toBe('version_conflict')
    expect((await requestRecall({ token: owner.token })).status).toBe(404)
    const twice = await Promise.all([requestRecall(), requestRecall()])
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await balance(poor)).toBe(0)
    const pinless = await createCustomer(test)
    const other = await createParcel(test, pinless, { status: 'inbound' as ParcelStatus })
    const without = await test.call(recallParcel, {
      token: pinless.token,
      params: { id: other.id },
      body: { version: other.version, expectedFeeMinor: 530 },
    })
    expect(without.error).toMatchObject({ code: 'validation', errors: [{ field: 'pin' }] })
    await expectSoundBooks(test)
  })

  it('needs no PIN if the deployment charges no fee', async () => {
    const { db, settings } = test.deps
    await db.insertInto('settings').values({ key: 'price.recallFeeMinor', value: '0' }).execute()
    await settings.reload()
    const parcel = await createParcel(test, owner, { status: 'sorting' })
    const before = await balance()
    const answer = await test.call(recallParcel, {
      token: owner.token,
      params: { id: parcel.id },
      body: { version: parcel.version, expectedFeeMinor: 0 },
    })
    expect(answer.body).toMatchObject({ parcel: { status: 'recall' }, orderId: null })
    expect(await balance()).toBe(before)
  })
})
