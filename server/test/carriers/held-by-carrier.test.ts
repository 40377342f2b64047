// A parcel that another carrier has: the carrier decides about its journey, and the sender gets no choice.
import { cancelParcels } from '@waybill/contract/orders/refunds'
import { getParcelActions, recallParcel } from '@waybill/contract/parcels/allowed-actions'
import { getDeliveryChoice, makeDeliveryChoice, quoteDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { getParcel } from '@waybill/contract/parcels/parcels'
import { listFailedDeliveries } from '@waybill/contract/parcels/rider-tasks'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recallAbandoned } from '../../src/domains/parcels/failed-delivery/jobs.ts'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { days } from '../../src/lib/clock.ts'
import type { TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { scanned } from '../testing/factories/handed-over.ts'
import { listServiceCentres, seedTestNetwork } from '../testing/factories/network.ts'
import { fundWallet, setWalletPin, testPin } from '../testing/factories/wallet.ts'
import type { DhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { findCarrierNumber, freshToken, pass, reportByDhl, sendParcel, startWithDhl } from './carrier-parcels.ts'

describe('a parcel that DHL has', () => {
  let test: TestApp
  let dhl: DhlExpressPeer
  let customer: TestCustomer
  let station: string
  let clerk: TestStaff
  beforeAll(async () => {
    const started = await startWithDhl()
    test = started.test
    dhl = started.dhl
    await seedTestNetwork(test)
    station = (await listServiceCentres(test))[0]?.id ?? ''
    customer = await createCustomer(test)
    await fundWallet(test, customer, 100_000)
    await setWalletPin(test, customer)
  })
  beforeEach(async () => signIn())

  async function signIn() {
    customer.token = await freshToken(test, customer)
    clerk = await createStaff(test, { stationId: station })
  }
  const send = (mode: 'D2D' | 'P2D' = 'D2D') => sendParcel(test, customer, { carrier: 'dhl', delivery_mode: mode })
  /** DHL reports these events, and each is in the timeline afterwards. */
  async function report(row: ParcelRow, ...codes: string[]) {
    const number = await findCarrierNumber(test, customer, row)
    for (const code of codes) {
      reportByDhl(test, dhl, number, code, -29)
      await pass(test, 30, 'parcels:track-carriers')
    }
    await signIn()
  }
  const call = ({ id }: ParcelRow) => ({ token: customer.token, params: { id } })
  const detail = async (row: ParcelRow) => (await test.call(getParcel, call(row))).body
  const actions = async (row: ParcelRow) => (await test.call(getParcelActions, call(row))).body
  const balance = async () => (await test.call(getWallet, { token: customer.token })).body.balanceMinor
  async function recall(row: ParcelRow, language: 'en' | 'zh' = 'en') {
    const { version, recall } = await actions(row)
    const body = { version, expectedFeeMinor: recall.fee.totalMinor, pin: testPin }
    return test.call(recallParcel, { ...call(row), body, language })
  }

  it('cannot be recalled, and is delivered to its receiver', async () => {
    const row = await send()
    await report(row, 'PU', 'DF')
    const parcel = await detail(row)
    expect(parcel).toMatchObject({ status: 'outbound', withOtherCarrier: true })
    expect(parcel.allowedActions).not.toContain('recall')
    expect((await actions(row)).recall).toMatchObject({ open: false, reason: 'carrier_has_parcel' })
    const before = await balance()
    const refused = await recall(row)
    expect(refused).toMatchObject({ status: 409, error: { code: 'carrier_has_parcel' } })
    expect(refused.error.message).toContain('DHL has this parcel')
    expect((await recall(row, 'zh')).error.message).toContain('包裹已交给 DHL')
    const cancelled = await test.call(cancelParcels, { token: customer.token, body: { ids: [row.id] } })
    expect(cancelled).toMatchObject({ status: 409, error: { code: 'carrier_has_parcel' } })
    expect(await balance()).toBe(before)
    await report(row, 'AR', 'WC')
    expect((await recall(row)).error.code).toBe('carrier_has_parcel')
    await report(row, 'OK')
    expect(await detail(row)).toMatchObject({ status: 'completed', leg: 'outbound', withOtherCarrier: false })
  })

  it('needs no decision after a failed attempt, and is not returned by us', async () => {
    const row = await send()
    await report(row, 'PU', 'WC', 'NH')
    const parcel = await detail(row)
    expect(parcel.status).toBe('fail-to-deliver')
    for (const action of ['choose_delivery', 'recall'] as const) expect(parcel.allowedActions).not.toContain(action)
    const choice = (await test.call(getDeliveryChoice, call(row))).body
    expect(choice).toMatchObject({ waiting: false, chosen: null })
    const before = await balance()
    for (const { kind, feeMinor } of choice.options) {
      const body = { kind, date: choice.dates[0] ?? null, stationId: null, receiver: choice.receiver }
      const quote = await test.call(quoteDeliveryChoice, { ...call(row), body })
      const payment = { expectedFeeMinor: feeMinor, pin: feeMinor > 0 ? testPin : null }
      const choiceAnswer = await test.call(makeDeliveryChoice, { ...call(row), body: { ...body, ...payment } })
      for (const { status, error } of [quote, choiceAnswer])
        expect([kind, status, error.code]).toEqual([kind, 409, 'carrier_has_parcel'])
    }
    expect(await balance()).toBe(before)
    const mails = test.mailbox.mails().filter(({ subject }) => subject.includes(row.tracking_number ?? ''))
    expect(mails.map(({ to, subject }) => [to, subject.includes('could not be delivered')])).toEqual([
      [[customer.email], true],
    ])
    expect(mails[0]?.text).toContain('You do not need to do anything')
    test.clock.advance(days(30))
    await recallAbandoned(test.deps)
    await signIn()
    const everyStation = await createStaff(test, {})
    for (const tab of ['due', 'later', 'waiting'] as const) {
      const { items } = (await test.call(listFailedDeliveries, { token: everyStation.token, query: { tab } })).body
      expect(items.map(({ parcelId }) => parcelId)).not.toContain(row.id)
    }
    expect((await detail(row)).status).toBe('fail-to-deliver')
    await report(row, 'WC', 'OK')
    expect(await detail(row)).toMatchObject({ status: 'completed', leg: 'outbound' })
  })

  it('is back with its sender once DHL has returned it', async () => {
    const row = await send()
    await report(row, 'PU', 'WC', 'RD', 'RT')
    expect((await detail(row)).status).toBe('recall')
    await report(row, 'OK')
    expect(await detail(row)).toMatchObject({ status: 'completed', leg: 'return' })
  })

  it('can be recalled after the drop-off until DHL collects it', async () => {
    const [early, late] = [await send('P2D'), await send('P2D')]
    for (const row of [early, late]) await scanned(test, clerk, row.tracking_number ?? '', 'accepted')
    expect((await recall(early)).body.parcel.status).toBe('recall')
    expect((await detail(late)).allowedActions).toContain('recall')
    await report(late, 'PU')
    expect(await detail(late)).toMatchObject({ status: 'inbound', withOtherCarrier: true })
    expect((await recall(late)).error.code).toBe('carrier_has_parcel')
  })

  it('comes back from its way to the receiver, and nobody is told of an attempt', async () => {
    const row = await send()
    await report(row, 'PU', 'WC', 'RT')
    const parcel = await detail(row)
    expect(parcel.status).toBe('recall')
    expect(parcel.events.slice(0, 2).map(({ event }) => event)).toEqual(['recalled', 'attempt_failed'])
    const mails = test.mailbox.mails().filter(({ subject }) => subject.includes(row.tracking_number ?? ''))
    expect(mails.filter(({ subject }) => subject.includes('could not be delivered'))).toEqual([])
    await report(row, 'OK')
    expect(await detail(row)).toMatchObject({ status: 'completed', leg: 'return' })
  })

  it('can be taken over by staff after all attempts of DHL, and is ours again then', async () => {
    const row = await send()
    await report(row, 'PU', 'WC', 'NH', 'WC', 'NH', 'WC', 'NH')
    const no = row.tracking_number ?? ''
    const { body } = await test.call(staffParcelByNumber, { token: clerk.token, params: { no } })
    expect(body.allowedEvents).toContain('out_for_delivery')
    await scanned(test, clerk, no, 'out_for_delivery', { takeOver: { reason: 'DHL brought it back' } })
    await scanned(test, clerk, no, 'attempt_failed', { failureReason: 'not_home' })
    // Our own rider has it now, so the sender can choose again.
    const parcel = await detail(row)
    expect([parcel.withOtherCarrier, parcel.allowedActions.includes('choose_delivery')]).toEqual([false, true])
    test.clock.advance(days(2))
    await recallAbandoned(test.deps)
    await signIn()
    expect((await detail(row)).status).toBe('recall')
  })
})
