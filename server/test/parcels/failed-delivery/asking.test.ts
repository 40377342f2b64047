import { formatDate } from '@waybill/contract/ground/format'
import { getDeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { publicTrackGet } from '@waybill/contract/tracking/tracking'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, parcelNow, undelivered } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { fundWallet, setWalletPin } from '../../testing/factories/wallet.ts'

describe('the mails after a failed delivery', () => {
  let test: TestApp
  let counter: TestStaff
  const senders = {} as Record<'en' | 'cn_zh', TestCustomer>
  const start = async (changeStations = async () => {}) => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    await changeStations()
    ;({ counter } = await findCounter(test))
    for (const language of ['en', 'cn_zh'] as const) {
      senders[language] = await createCustomer(test, { language })
      await fundWallet(test, senders[language], 500_000)
      await setWalletPin(test, senders[language])
    }
  }
  beforeAll(() => start())

  /** The mails to the sender and to the receiver after a failed delivery, with these settings. */
  const fail = async (language: 'en' | 'cn_zh', values: Record<string, string> = {}) => {
    const owner = senders[language]
    const keys = Object.keys(values)
    for (const key of keys)
      await test.deps.db
        .insertInto('settings')
        .values({ key, value: values[key] as string })
        .execute()
    await test.deps.settings.reload()
    const { id, number } = await undelivered(test, owner, counter)
    await test.settle()
    const find = (email: string) =>
      test.mailbox.mails().flatMap(({ to, text }) => (to.includes(email) && text.includes(number) ? [text] : []))
    const { body } = await test.call(getDeliveryChoice, { token: owner.token, params: { id } })
    if (keys.length > 0) await test.deps.db.deleteFrom('settings').where('key', 'in', keys).execute()
    await test.deps.settings.reload()
    return { until: body.decideUntil, sender: find(owner.email), receiver: find('ahmad@example.test') }
  }
  const lastAttempt = { 'delivery.maxAttempts': '1' }

  it.each([
    ['en', 'choose another day, correct the address, send it to a station', 'choose another day or collect it'],
    ['cn_zh', '选择日期再次派送、更正地址、转至自取网点', '选择其他日期再次派送或到附近网点自取'],
  ] as const)(
    'name everything that can be chosen, and the minute of the deadline (%s)',
    async (language, all, free) => {
      const { until, sender, receiver } = await fail(language)
      const { settings } = test.deps
      const deadline = formatDate(until, settings.get('timezone'), settings.get('format.dateTime'), language)
      expect(sender).toEqual([expect.stringContaining(all)])
      expect(sender).toEqual([expect.stringContaining(deadline)])
      expect(receiver).toEqual([expect.stringContaining(free)])
      // The deadline of the choice, and that of the link.
      expect(receiver[0]?.split(deadline)).toHaveLength(3)
    },
  )

  it('offer no other day and no other address after the last attempt', async () => {
    const { sender, receiver } = await fail('en', lastAttempt)
    expect(sender).toEqual([expect.stringContaining('You can send it to a station or have it returned.')])
    expect(receiver).toEqual([expect.stringContaining('You can collect it at a station near you, free of charge.')])
  })

  it('are only for the sender if everything that the receiver could choose has a fee', async () => {
    const { sender, receiver } = await fail('en', { 'delivery.retryFeeMinor': '300', 'delivery.divertFeeMinor': '300' })
    expect([sender.length, receiver.length]).toEqual([1, 0])
  })

  it('go with a public page that shows no day until one is chosen', async () => {
    const owner = senders.en
    const { id, number } = await undelivered(test, owner, counter, 2)
    const track = async () => (await test.call(publicTrackGet, { query: { no: number } })).body.found[0]
    expect(await track()).toMatchObject({ awaitsChoice: true, expectedDate: null, promisedDate: null })
    expect(await parcelNow(test, owner, id)).toMatchObject({ expectedDate: null })
    const call = { token: owner.token, params: { id } }
    const [date = ''] = (await test.call(getDeliveryChoice, call)).body.dates
    const body = { kind: 'retry' as const, date, expectedFeeMinor: 0 }
    expect((await test.call(makeDeliveryChoice, { ...call, body })).status).toBe(200)
    expect(await track()).toMatchObject({ awaitsChoice: false, expectedDate: date })
  })

  it('offer no station where none can hand out the parcel', async () => {
    await start(async () => {
      await test.deps.db
        .updateTable('stations')
        .set({ service_codes: ['e_parcel.drop_off', 'e_parcel.delivery'] })
        .execute()
    })
    const last = await fail('en', lastAttempt)
    expect(last.sender).toEqual([expect.stringContaining('You can have it returned.')])
    expect(last.receiver).toEqual([])
  })
})
