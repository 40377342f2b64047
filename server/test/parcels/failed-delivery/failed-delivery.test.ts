import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { getInvoice, getOrder } from '@waybill/contract/orders/orders'
import {
  getDeliveryChoice,
  getPublicDeliveryChoice,
  makeDeliveryChoice,
  makePublicDeliveryChoice,
  quoteDeliveryChoice,
} from '@waybill/contract/parcels/failed-delivery'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeLinkToken } from '../../../src/domains/parcels/failed-delivery/choice-link.ts'
import { recallAbandoned } from '../../../src/domains/parcels/failed-delivery/jobs.ts'
import { days, hours, later } from '../../../src/lib/clock.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned, undelivered } from '../../testing/factories/handed-over.ts'
import { listServiceCentres, seedTestNetwork } from '../../testing/factories/network.ts'
import { testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer, expectSoundBooks, fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

describe('after a failed delivery', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let counter: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    other = await createCustomer(test)
    ;({ counter } = await findCounter(test))
    await fundWallet(test, owner, 500_000)
    await setWalletPin(test, owner)
  })
  const view = async (id: string, token = owner.token) => test.call(getDeliveryChoice, { token, params: { id } })
  const quote = (id: string, body: Record<string, unknown>) =>
    test.call(quoteDeliveryChoice, { token: owner.token, params: { id }, body: body as never })
  const choose = (id: string, body: Record<string, unknown>, token = owner.token) =>
    test.call(makeDeliveryChoice, { token, params: { id }, body: { expectedFeeMinor: 0, ...body } as never })
  const balance = async () => (await test.call(getWallet, { token: owner.token })).body.balanceMinor
  const fee = async (id: string, kind: string) =>
    (await view(id)).body.options.find((option) => option.kind === kind)?.feeMinor ?? -1
  const token = (id: string, attempt = 1, until = later(test.clock.now(), hours(1))) =>
    makeLinkToken(test.deps, 'receiver', { parcelId: id, attempt, until })
  const open = (link: string) => test.call(getPublicDeliveryChoice, { params: { token: link } })
  const answer = (link: string, body: Record<string, unknown>) =>
    test.call(makePublicDeliveryChoice, { params: { token: link }, body: body as never })

  it('shows the sender the options with their fees, and accepts another day', async () => {
    const { id, number } = await undelivered(test, owner, counter)
    const before = (await view(id)).body
    expect(before).toMatchObject({ waiting: true, attempt: 1, failureReason: 'not_home', chosen: null })
    expect(before.options.map(({ kind, open }) => [kind, open])).toEqual([
      ['retry', true],
      ['correct', true],
      ['divert', true],
      ['recall', true],
    ])
    expect(before.stations.length).toBeGreaterThan(0)
    expect((await parcelNow(test, owner, id)).allowedActions).toContain('choose_delivery')
    const [, date] = before.dates
    await test.deps.db.updateTable('parcels').set({ expected_date: '2026-11-02' }).where('id', '=', id).execute()
    const choice = await choose(id, { kind: 'retry', date })
    expect(choice.body).toMatchObject({ waiting: false, chosen: { kind: 'retry', by: 'sender', date, feeMinor: 0 } })
    const parcel = await parcelNow(test, owner, id)
    expect(parcel).toMatchObject({ status: 'fail-to-deliver', expectedDate: date, promisedDate: '2026-11-02' })
    expect(parcel.allowedActions).not.toContain('choose_delivery')
    expect(parcel.events[0]?.event).toBe('retry_chosen')
    const twice = await choose(id, { kind: 'retry', date })
    expect([twice.status, twice.error.code]).toEqual([409, 'already_chosen'])
    // If the next attempt fails too, the sender can choose again.
    await scanned(test, counter, number, 'out_for_delivery', { beforeChosenDay: true })
    const out = await choose(id, { kind: 'retry', date })
    expect([out.status, out.error.code]).toEqual([409, 'transition_forbidden'])
    await scanned(test, counter, number, 'attempt_failed', { failureReason: 'closed' })
    expect((await view(id)).body).toMatchObject({ waiting: true, attempt: 2, chosen: null })
  })

  it('diverts the parcel to a self-collection station, where it is collected', async () => {
    const { id, number } = await undelivered(test, owner, counter)
    const { stations } = (await view(id)).body
    const stationId = stations[0]?.id
    const choice = await choose(id, { kind: 'divert', stationId })
    expect(choice.body.chosen).toMatchObject({ kind: 'divert', station: stations[0]?.name })
    const parcel = await parcelNow(test, owner, id)
    expect(parcel).toMatchObject({ status: 'outbound', deliveryMode: 'P2P', selfCollectionStationId: stationId })
    const there = await createStaff(test, { stationId: stationId ?? null })
    await scanned(test, there, number, 'arrived')
    await scanned(test, there, number, 'handed_over', {
      recipientName: 'Siti',
      signaturePath: 'M10,20 L30,40',
      idDocument: 'identity_card',
      idLast4: '1234',
    })
    expect((await parcelNow(test, owner, id)).status).toBe('collected')
  })

  it('diverts only to an offered station, in the zone that is paid for', async () => {
    const { id } = await undelivered(test, owner, counter)
    // The Cameron Highlands are on the East Coast, but the nearest stations are in the north.
    const highlands = testReceiver({ postcode: '39000', city: 'Tanah Rata', state: 'Pahang' })
    const columns = { receiver: JSON.stringify(highlands) }
    await test.deps.db.updateTable('parcels').set(columns).where('id', '=', id).execute()
    const { stations } = (await view(id)).body
    const offeredIds = stations.map((station) => station.id)
    const states = await test.deps.db.selectFrom('stations').select('state').where('id', 'in', offeredIds).execute()
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['Pahang']))
    const ofReceiver = (await open(token(id))).body
    expect(ofReceiver.stations).toEqual(stations)

    const others = (await listServiceCentres(test)).filter((station) => !offeredIds.includes(station.id))
    const cities = ['Ipoh', 'Kota Kinabalu', 'Kuala Lumpur']
    for (const station of others.filter(({ city }) => cities.includes(city))) {
      const body = { kind: 'divert', stationId: station.id }
      for (const refused of [await quote(id, body), await choose(id, body), await answer(token(id), body)]) {
        expect([refused.status, refused.error.errors?.map(({ field }) => field)]).toEqual([422, ['stationId']])
      }
    }
    expect((await choose(id, { kind: 'divert', stationId: offeredIds[0] })).status).toBe(200)
  })

  it('refuses a station without self-collection, a day that is not offered, and an incomplete choice', async () => {
    const { id } = await undelivered(test, owner, counter)
    const warehouse = await test.deps.db
      .selectFrom('stations')
      .select('id')
      .where('type', '=', 'warehouse')
      .executeTakeFirstOrThrow()
    for (const [body, field] of [
      [{ kind: 'divert', stationId: warehouse.id }, 'stationId'],
      [{ kind: 'divert', stationId: '0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90' }, 'stationId'],
      [{ kind: 'divert' }, 'stationId'],
      [{ kind: 'retry', date: '2020-01-01' }, 'date'],
      [{ kind: 'retry' }, 'date'],
      [{ kind: 'correct', expectedFeeMinor: 1, pin: testPin }, 'receiver'],
    ] as const) {
      const refused = await choose(id, body)
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([422, field])
    }
    expect((await choose(id, { kind: 'burn' })).status).toBe(422)
    expect((await choose(id, { kind: 'retry', date: '2026-13-40' })).status).toBe(422)
    expect((await view(id)).body.waiting).toBe(true)
  })

  it('refuses a fee if the member may not pay or the company requires approval of the amount', async () => {
    const boss = await createPayer(test, { userType: 'corporate', creditsMinor: 100_000 })
    const of = { userType: 'corporate' as const, accountId: boss.accountId, isOwner: false }
    const sender = await createCustomer(test, { ...of, permissions: ['parcels.create', 'parcels.view_all'] })
    const payer = await createCustomer(test, { ...of, permissions: ['parcels.create', 'parcels.view_all', 'pay'] })
    const { id } = await undelivered(test, boss, counter)
    const credits = async () => (await test.call(getWallet, { token: boss.token })).body.balanceMinor
    const before = await credits()
    const options = (await view(id, sender.token)).body.options
    const recall = options.find(({ kind }) => kind === 'recall')
    expect(recall).toMatchObject({ open: false, reason: 'needs_pay_right', feeMinor: 530 })
    expect(options.find(({ kind }) => kind === 'retry')?.open).toBe(true)
    const body = { kind: 'recall', expectedFeeMinor: 530, pin: testPin }
    const refused = await choose(id, body, sender.token)
    expect([refused.status, refused.error.code]).toEqual([403, 'forbidden'])
    await sql`update accounts set approval_above_minor = 100 where id = ${boss.accountId}::uuid`.execute(test.deps.db)
    expect((await choose(id, body, payer.token)).error.code).toBe('approval_needed')
    expect(await credits()).toBe(before)
    await sql`update accounts set approval_above_minor = 530 where id = ${boss.accountId}::uuid`.execute(test.deps.db)
    expect((await choose(id, body, payer.token)).status).toBe(200)
    expect(await credits()).toBe(before - 530)
  })

  it('returns the parcel for a fee, paid with credits and the PIN, with an invoice', async () => {
    const { id } = await undelivered(test, owner, counter)
    const feeMinor = await fee(id, 'recall')
    expect(feeMinor).toBe(530)
    const start = await balance()
    const stale = await choose(id, { kind: 'recall', expectedFeeMinor: feeMinor - 1, pin: testPin })
    expect([stale.status, stale.error.code]).toEqual([409, 'price_changed'])
    const bare = await choose(id, { kind: 'recall', expectedFeeMinor: feeMinor })
    expect([bare.status, bare.error.errors?.[0]?.field]).toEqual([422, 'pin'])
    const wrong = await choose(id, { kind: 'recall', expectedFeeMinor: feeMinor, pin: '918273' })
    expect([wrong.status, wrong.error.code]).toEqual([422, 'pin_wrong'])
    const free = await choose(id, { kind: 'recall', expectedFeeMinor: 0 })
    expect([free.status, free.error.code]).toEqual([409, 'price_changed'])
    expect(await balance()).toBe(start)
    expect((await choose(id, { kind: 'recall', expectedFeeMinor: feeMinor, pin: testPin })).status).toBe(200)
    expect(await balance()).toBe(start - feeMinor)
    expect((await parcelNow(test, owner, id)).status).toBe('recall')
    const charge = await test.deps.db
      .selectFrom('orders')
      .select('id')
      .where('account_id', '=', owner.accountId)
      .where('parcel_count', '=', 0)
      .executeTakeFirstOrThrow()
    const order = (await test.call(getOrder, { token: owner.token, params: { id: charge.id } })).body
    expect(order).toMatchObject({ status: 'completed', totalMinor: feeMinor })
    const { trackingNumber } = await parcelNow(test, owner, id)
    expect(order.lines.map(({ kind }) => kind)).toEqual(['delivery_choice', 'tax'])
    expect(order.lines[0]?.basis).toMatchObject({ parcelId: id, trackingNumber })
    const invoice = (await test.call(getInvoice, { token: owner.token, params: { id: charge.id } })).body
    expect(invoice.lines[0]?.description).toContain(groupTrackingNumber(trackingNumber ?? ''))
    expect(order.invoiceNumber).toMatch(/^INV-/)
    await expectSoundBooks(test)
  })

  it('corrects the address for a fee, plus the price difference in another zone', async () => {
    const near = await undelivered(test, owner, counter)
    const corrected = testReceiver({ line1: '9 Lebuh Pantai' })
    const plain = (await quote(near.id, { kind: 'correct', receiver: corrected })).body
    expect(plain).toMatchObject({ otherZone: false, feeMinor: await fee(near.id, 'correct') })
    const choice = await choose(near.id, {
      kind: 'correct',
      receiver: corrected,
      expectedFeeMinor: plain.feeMinor,
      pin: testPin,
    })
    expect(choice.body.receiver.line1).toBe('9 Lebuh Pantai')
    expect((await parcelNow(test, owner, near.id)).status).toBe('fail-to-deliver')

    const far = await undelivered(test, owner, counter)
    const sabah = testReceiver({ line1: '1 Jalan Gaya', postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' })
    const dearer = (await quote(far.id, { kind: 'correct', receiver: sabah })).body
    expect(dearer.otherZone).toBe(true)
    expect(dearer.feeMinor).toBeGreaterThan(plain.feeMinor)
    const before = await parcelNow(test, owner, far.id)
    const body = { kind: 'correct', receiver: sabah, expectedFeeMinor: dearer.feeMinor, pin: testPin }
    expect((await choose(far.id, body)).status).toBe(200)
    const after = await parcelNow(test, owner, far.id)
    expect(after).toMatchObject({ status: 'outbound', receiver: { city: 'Kota Kinabalu' } })
    expect((after.priceMinor ?? 0) - (before.priceMinor ?? 0)).toBe(dearer.feeMinor - plain.feeMinor)
  })

  it('refuses an invalid address', async () => {
    const { id } = await undelivered(test, owner, counter)
    for (const [overrides, field] of [
      [{ postcode: '00001' }, 'receiver.postcode'],
      [{ state: 'Johor' }, 'receiver.state'],
      [{ country: 'sg', postcode: '018956', phone: '+6561234567' }, 'receiver.country'],
      [{ phone: '+60999' }, 'receiver.phone'],
    ] as const) {
      const refused = await quote(id, { kind: 'correct', receiver: testReceiver(overrides) })
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([422, field])
    }
  })

  it('hides the choices from other accounts and before a delivery has failed', async () => {
    const { id } = await undelivered(test, owner, counter)
    expect((await view(id, other.token)).status).toBe(404)
    expect((await choose(id, { kind: 'recall' }, other.token)).status).toBe(404)
    const moving = await handedOver(test, owner, counter)
    expect((await view(moving.id)).status).toBe(409)
    expect((await choose(moving.id, { kind: 'retry', date: '2026-12-01' })).status).toBe(409)
  })

  it('emails the receiver a link to the free options, which shows no personal data', async () => {
    const { id } = await undelivered(test, owner, counter)
    await test.settle()
    const mail = test.mailbox.mails().find(({ to, text }) => to.includes('ahmad@example.test') && text.includes(id))
    const link = /public\/delivery\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect(
      test.mailbox.mails().some(({ to, subject }) => to.includes(owner.email) && subject.includes('could not be')),
    ).toBe(true)
    const offer = await open(link)
    expect(offer.status).toBe(200)
    expect(offer.body.options.filter((option) => option.open).map(({ kind }) => kind)).toEqual(['retry', 'divert'])
    for (const word of ['Tan Mei Ling', 'Ahmad', 'Lebuh Pantai', '+601', 'example.test'])
      expect(offer.raw.toString()).not.toContain(word)
    const recall = await answer(link, { kind: 'recall' })
    expect(recall.status).toBe(422)
    const choice = await answer(link, { kind: 'retry', date: offer.body.dates[0] })
    expect(choice.body.chosen).toMatchObject({ kind: 'retry', by: 'receiver' })
    const twice = await answer(link, { kind: 'retry', date: offer.body.dates[0] })
    expect([twice.status, twice.error.code]).toEqual([409, 'already_chosen'])
    expect((await choose(id, { kind: 'retry', date: offer.body.dates[0] })).error.code).toBe('already_chosen')
  })

  it('limits a link to one parcel, one attempt and a period, and closes options with a fee', async () => {
    const first = await undelivered(test, owner, counter)
    const second = await undelivered(test, owner, counter)
    const good = token(first.id)
    const swapped = good.replace(first.id, second.id)
    for (const bad of [
      swapped,
      token(first.id, 2),
      token(first.id, 1, new Date(Date.now() - 1000)),
      'x',
      `${good}x`.slice(1),
    ]) {
      const refused = await open(bad)
      expect([refused.status, refused.error.code]).toEqual([422, 'link_invalid'])
      expect((await answer(bad, { kind: 'retry', date: '2026-12-01' })).error.code).toBe('link_invalid')
    }
    await test.deps.db.insertInto('settings').values({ key: 'delivery.retryFeeMinor', value: '300' }).execute()
    await test.deps.settings.reload()
    const { body } = await open(good)
    expect(body.options.find(({ kind }) => kind === 'retry')).toMatchObject({
      open: false,
      reason: 'receiver_free_only',
    })
    const closed = await answer(good, { kind: 'retry', date: body.dates[0] })
    expect([closed.status, closed.error.code]).toEqual([422, 'choice_closed'])
    await test.deps.db.deleteFrom('settings').where('key', '=', 'delivery.retryFeeMinor').execute()
    await test.deps.settings.reload()
  })

  it('returns the parcel automatically after its last attempt or deadline, unless a choice was made', async () => {
    const used = await undelivered(test, owner, counter, 3)
    const closed = (await view(used.id)).body.options.find(({ kind }) => kind === 'retry')
    expect(closed).toMatchObject({ open: false, reason: 'attempts_used' })
    const silent = await undelivered(test, owner, counter)
    const parcel = await undelivered(test, owner, counter)
    const [date] = (await view(parcel.id)).body.dates
    await choose(parcel.id, { kind: 'retry', date })
    const back = async (by: number, ids: string[]) => {
      const at = later(test.clock.now(), -by)
      await test.deps.db.updateTable('parcels').set({ last_event_at: at }).where('id', 'in', ids).execute()
      await recallAbandoned(test.deps)
    }
    await recallAbandoned(test.deps)
    expect((await parcelNow(test, owner, used.id)).status).toBe('fail-to-deliver')
    await back(hours(25), [used.id, silent.id, parcel.id])
    expect((await parcelNow(test, owner, used.id)).status).toBe('recall')
    expect((await parcelNow(test, owner, silent.id)).status).toBe('fail-to-deliver')
    await back(days(6), [silent.id, parcel.id])
    const recalled = await parcelNow(test, owner, silent.id)
    expect(recalled.status).toBe('recall')
    expect(recalled.events[0]?.note).toBe('Could not be delivered')
    expect((await parcelNow(test, owner, parcel.id)).status).toBe('fail-to-deliver')
  })
})
