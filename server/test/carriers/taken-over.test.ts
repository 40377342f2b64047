// A parcel that our staff have taken over from DHL, which goes on reporting about it.
import { getParcel } from '@waybill/contract/parcels/parcels'
import { listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ParcelRow } from '../../src/domains/parcels/queries.ts'
import { minutes } from '../../src/lib/clock.ts'
import type { TestApp } from '../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../testing/factories/accounts.ts'
import { scanned } from '../testing/factories/handed-over.ts'
import { listServiceCentres, seedTestNetwork } from '../testing/factories/network.ts'
import type { DhlExpressPeer } from '../testing/peers/dhl-express.ts'
import { findCarrierNumber, freshToken, pass, reportByDhl, sendParcel, startWithDhl } from './carrier-parcels.ts'

describe('a parcel that was taken over from DHL', () => {
  let test: TestApp
  let dhl: DhlExpressPeer
  let customer: TestCustomer
  let station: string
  let rider: TestStaff
  beforeAll(async () => {
    const started = await startWithDhl()
    test = started.test
    dhl = started.dhl
    await seedTestNetwork(test)
    station = (await listServiceCentres(test))[0]?.id ?? ''
    customer = await createCustomer(test)
  })
  beforeEach(async () => {
    rider = await createStaff(test, { stationId: station })
  })

  /** Half an hour later, DHL reports an event that happened `ago` minutes before. */
  async function report(row: ParcelRow, code: string, ago = 1) {
    reportByDhl(test, dhl, await findCarrierNumber(test, customer, row), code, ago - 30)
    await pass(test, 30, 'parcels:track-carriers')
    rider.token = await freshToken(test, rider)
  }
  const detail = async ({ id }: ParcelRow) =>
    (await test.call(getParcel, { token: await freshToken(test, customer), params: { id } })).body
  const scan = (row: ParcelRow, ...[event, fields]: [Parameters<typeof scanned>[3], object?]) =>
    scanned(test, rider, row.tracking_number ?? '', event, { ...fields })
  const deliver = (row: ParcelRow) => scan(row, 'delivered', { recipientName: 'Siti', signaturePath: 'M10,20 L30,40' })
  const takeOver = (row: ParcelRow) => scan(row, 'out_for_delivery', { takeOver: { reason: 'DHL brought it back' } })
  async function findTask({ id }: ParcelRow) {
    const list = async (state: 'under_way' | 'done') =>
      (await test.call(listDeliveryTasks, { token: rider.token, query: { rider: 'me', state } })).body.items
    return [...(await list('under_way')), ...(await list('done'))].find(({ parcelId }) => parcelId === id)
  }
  const mailsAbout = ({ tracking_number: number }: ParcelRow) =>
    test.mailbox.mails().filter(({ subject }) => subject.includes(number ?? ''))

  async function sendTakenOver(): Promise<ParcelRow> {
    const row = await sendParcel(test, customer, { carrier: 'dhl', delivery_mode: 'D2D' })
    for (const code of ['PU', 'WC', 'NH']) await report(row, code)
    test.clock.advance(minutes(20))
    rider.token = await freshToken(test, rider)
    await takeOver(row)
    return row
  }

  it.each([
    ['OK', 1],
    // From between the last attempt of DHL and the take-over.
    ['NH', 40],
    ['NH', 1],
    ['RT', 1],
  ])('stays with our rider after %s of %i minutes ago, who then delivers it', async (code, ago) => {
    const row = await sendTakenOver()
    const mails = mailsAbout(row).length
    await report(row, code, ago)
    const parcel = await detail(row)
    expect(parcel).toMatchObject({ status: 'delivering', withOtherCarrier: false })
    expect(parcel.events[0]).toMatchObject({ event: 'carrier_note', note: `said ${code}` })
    expect(mailsAbout(row)).toHaveLength(mails)
    expect(await findTask(row)).toMatchObject({ status: 'open' })
    await deliver(row)
    expect(await detail(row)).toMatchObject({ status: 'completed', leg: 'outbound' })
    expect(await findTask(row)).toMatchObject({ status: 'completed' })
  })

  it("is the carrier's again after it collected it from us, and ends our rider's task", async () => {
    const row = await sendTakenOver()
    // From before the take-over.
    await report(row, 'PU', 40)
    expect(await findTask(row)).toMatchObject({ status: 'open' })
    await report(row, 'PU')
    expect(await detail(row)).toMatchObject({ status: 'delivering', withOtherCarrier: true })
    expect(await findTask(row)).toMatchObject({ status: 'failed', failureReason: 'other' })
    await report(row, 'OK')
    expect((await detail(row)).status).toBe('completed')
  })

  it('needs no take-over if the carrier never said that it collected it', async () => {
    const row = await sendParcel(test, customer, { carrier: 'dhl', delivery_mode: 'P2D' })
    await scan(row, 'accepted')
    await report(row, 'DF', 45)
    expect((await detail(row)).status).toBe('inbound')
    await report(row, 'DF')
    expect(await detail(row)).toMatchObject({ status: 'outbound', withOtherCarrier: true })
  })
})
