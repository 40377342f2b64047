import {
  getDeliveryChoice,
  getStaffDeliveryChoice,
  makeDeliveryChoice,
  recordDeliveryChoice,
} from '@waybill/contract/parcels/failed-delivery'
import { staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import { openDrawer } from '@waybill/contract/payments/cash-desk'
import { bookWalkIn } from '@waybill/contract/payments/walk-ins'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { walkInBody } from '../../testing/factories/walk-ins.ts'
import { createPayer } from '../../testing/factories/wallet.ts'

describe('a delivery choice recorded by staff', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  let support: TestStaff
  let here: string
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createPayer(test, { creditsMinor: 500_000 })
    ;({ counter, here } = await findCounter(test))
    support = await createStaff(test, { role: 'account_manager' })
  })
  type Person = 'sender' | 'receiver'
  const view = (id: string, by: Person = 'receiver') =>
    test.call(getStaffDeliveryChoice, { token: support.token, params: { id }, query: { by } })
  const record = (id: string, body: object, key?: string) =>
    test.call(recordDeliveryChoice, {
      token: support.token,
      params: { id },
      body: { by: 'receiver', ...body } as never,
      headers: key ? { 'idempotency-key': key } : {},
    })
  const listOpen = async (id: string, by: Person) =>
    (await view(id, by)).body.options.flatMap(({ kind, open }) => (open ? [kind] : []))
  const readAsStaff = async (no: string) =>
    (await test.call(staffParcelByNumber, { token: counter.token, params: { no } })).body

  it('is recorded as the choice of that person, with the member of staff, and shown as such', async () => {
    const { id, number } = await undelivered(test, owner, counter)
    const date = (await view(id)).body.dates[1]
    const choice = await record(id, { kind: 'retry', date })
    const recorded = { kind: 'retry', by: 'receiver', recordedByStaff: true, date }
    expect(choice.body).toMatchObject({ waiting: false, chosen: recorded })
    expect((await readAsStaff(number)).failedAttempt).toMatchObject({ decideUntil: null, chosen: recorded })
    const ofSender = await test.call(getDeliveryChoice, { token: owner.token, params: { id } })
    expect(ofSender.body).toMatchObject({ waiting: false, chosen: recorded })
    expect(await parcelNow(test, owner, id)).toMatchObject({ status: 'fail-to-deliver', expectedDate: date })
    const [event] = (await readAsStaff(number)).events
    expect(event).toMatchObject({ event: 'retry_chosen', byName: expect.any(String) })
    const activity = await test.deps.db
      .selectFrom('activity_log')
      .select(['action', 'user_id', 'detail'])
      .where('subject', '=', id)
      .where('action', '=', 'parcels.receiver_chose')
      .execute()
    expect(activity).toEqual([
      {
        action: 'parcels.receiver_chose',
        user_id: support.userId,
        detail: expect.objectContaining({ kind: 'retry', recordedByStaff: true }),
      },
    ])
    const again = await record(id, { kind: 'retry', date })
    expect([again.status, again.error.code]).toEqual([409, 'already_chosen'])
  })

  it('is not marked when the sender chooses in the portal', async () => {
    const { id, number } = await undelivered(test, owner, counter)
    const date = (await view(id)).body.dates[0]
    await test.call(makeDeliveryChoice, {
      token: owner.token,
      params: { id },
      body: { kind: 'retry', date, expectedFeeMinor: 0 } as never,
    })
    expect((await readAsStaff(number)).failedAttempt?.chosen).toMatchObject({ by: 'sender', recordedByStaff: false })
  })

  it('is made once, and a repeated request gets the same response', async () => {
    const { id, number } = await undelivered(test, owner, counter)
    const stationId = (await view(id)).body.stations[0]?.id
    const key = 'a-choice-by-phone'
    const first = await record(id, { kind: 'divert', stationId }, key)
    const second = await record(id, { kind: 'divert', stationId }, key)
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(await readAsStaff(number)).toMatchObject({ status: 'outbound', deliveryMode: 'P2P' })
  })

  it('has no fee and no other address: the receiver decides about less than the sender', async () => {
    const { id } = await undelivered(test, owner, counter)
    expect(await listOpen(id, 'receiver')).toEqual(['retry', 'divert'])
    // The return has a fee.
    expect(await listOpen(id, 'sender')).toEqual(['retry', 'divert'])
    const refusals = [
      await record(id, { by: 'sender', kind: 'recall' }),
      await record(id, { by: 'receiver', kind: 'recall' }),
    ]
    expect(refusals.map(({ error }) => [error.code, error.details?.reason])).toEqual([
      ['choice_closed', 'only_free'],
      ['choice_closed', 'not_for_receiver'],
    ])
    expect((await record(id, { kind: 'correct' })).status).toBe(422)
    expect((await record(id, { kind: 'retry', date: '2026-01-01' })).status).toBe(422)
    expect((await view(id)).body.waiting).toBe(true)

    await test.deps.db.insertInto('settings').values({ key: 'price.recallFeeMinor', value: '0' }).execute()
    await test.deps.settings.reload()
    expect(await listOpen(id, 'sender')).toEqual(['retry', 'divert', 'recall'])
    expect((await record(id, { by: 'sender', kind: 'recall' })).status).toBe(200)
    expect((await parcelNow(test, owner, id)).status).toBe('recall')
  })

  it('is refused for a parcel that waits for none', async () => {
    const { id } = await handedOver(test, owner, counter)
    const answers = [await view(id), await record(id, { kind: 'retry', date: '2026-12-01' })]
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
      [409, 'transition_forbidden'],
      [409, 'transition_forbidden'],
    ])
    const nowhere = '0198c000-0000-7000-8000-000000000000'
    expect([(await view(nowhere)).status, (await record(nowhere, { kind: 'recall' })).status]).toEqual([404, 404])
  })

  it('is possible for a walk-in without an email address', async () => {
    const clerk = await createStaff(test, { stationId: here })
    const drawer = { drawerNumber: 1, floatMinor: 5_000, currency: 'MYR' }
    await test.call(openDrawer, { token: clerk.token, body: drawer })
    const usual = await walkInBody(test, here)
    const sender = { ...usual.sender, email: null }
    const booking = await test.call(bookWalkIn, { token: clerk.token, body: { ...usual, sender } })
    expect(booking.status, JSON.stringify(booking.error)).toBe(200)
    const { parcelId, trackingNumber } = booking.body
    await scanned(test, clerk, trackingNumber, 'out_for_delivery')
    await scanned(test, clerk, trackingNumber, 'attempt_failed', { failureReason: 'closed' })
    const date = (await view(parcelId, 'sender')).body.dates[0]
    const choice = await record(parcelId, { by: 'sender', kind: 'retry', date })
    expect(choice.body.chosen).toMatchObject({ by: 'sender', recordedByStaff: true, date })
  })
})
