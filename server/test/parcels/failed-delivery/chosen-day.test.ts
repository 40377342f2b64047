import type { BodyIn } from '@waybill/contract/ground/endpoint'
import { formatDay } from '@waybill/contract/ground/format'
import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { scan } from '@waybill/contract/parcels/scanning'
import { beforeAll, describe, expect, it } from 'vitest'
import { dayIn } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, parcelNow, scanned, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'

describe('another attempt', () => {
  let test: TestApp
  let owner: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    counter = (await findCounter(test)).counter
    await fundWallet(test, owner, 500_000)
    await setWalletPin(test, owner)
  })
  const readDates = async (id: string) =>
    (await test.call(getDeliveryChoice, { token: owner.token, params: { id } })).body.dates
  const choose = async (id: string, date: string) => {
    const body = { kind: 'retry' as const, date, expectedFeeMinor: 0 }
    expect((await test.call(makeDeliveryChoice, { token: owner.token, params: { id }, body })).status).toBe(200)
  }

  it('goes out before the chosen day only if the clerk confirms it', async () => {
    const { id, number } = await undelivered(test, owner, counter)
    const [, date = ''] = await readDates(id)
    await choose(id, date)
    const goOut = (fields: Partial<BodyIn<typeof scan>> = {}) => {
      const body = { trackingNumber: number, event: 'out_for_delivery' as const, ...fields }
      return test.call(scan, { token: counter.token, body })
    }
    const refused = await goOut()
    expect([refused.status, refused.error.code, refused.error.details]).toEqual([409, 'attempt_early', { day: date }])
    expect(refused.error.message).toContain(formatDay(date, test.deps.settings.get('format.date'), 'en'))
    expect((await parcelNow(test, owner, id)).status).toBe('fail-to-deliver')
    const early = await goOut({ beforeChosenDay: true })
    expect(early.body.toStatus).toBe('delivering')
    const event = test.deps.db.selectFrom('tracking_events').select('detail').where('id', '=', early.body.id)
    expect((await event.executeTakeFirst())?.detail).toMatchObject({ beforeChosenDay: date })

    const onTheDay = await undelivered(test, owner, counter)
    const [tomorrow = ''] = await readDates(onTheDay.id)
    await choose(onTheDay.id, tomorrow)
    const past = { retry_on: dayIn(test.clock.now(), test.deps.settings.get('timezone')) }
    await test.deps.db.updateTable('delivery_choices').set(past).where('parcel_id', '=', onTheDay.id).execute()
    await scanned(test, counter, onTheDay.number, 'out_for_delivery')
  })
})
