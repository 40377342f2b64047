import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { scan, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import {
  acceptWeighing,
  contestWeighing,
  decideDispute,
  getWeighing,
  listDisputes,
  reweighParcel,
  type Weighing,
} from '@waybill/contract/parcels/weighing'
import { getWallet, walletHistory } from '@waybill/contract/wallet/wallet'
import fc from 'fast-check'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeAttachment } from '../../../src/domains/attachments/service.ts'
import { closeSilent } from '../../../src/domains/parcels/weighing/answers.ts'
import { nextWeighingState, weighingTransitions } from '../../../src/domains/parcels/weighing/status.ts'
import { repriceWithWeight } from '../../../src/domains/pricing/reprice.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createCustomer, createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { expectSoundBooks, fundWallet, setWalletPin, testPin } from '../../testing/factories/wallet.ts'

describe('re-weighing', () => {
  let test: TestApp
  let owner: TestCustomer
  let other: TestCustomer
  let counter: TestStaff
  let judge: TestStaff
  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    owner = await createCustomer(test)
    other = await createCustomer(test)
    judge = await createStaff(test, { role: 'account_manager' })
    counter = (await findCounter(test)).counter
    await fundWallet(test, owner, 1_000_000)
    await setWalletPin(test, owner)
  })

  const weigh = (id: string, body: Record<string, unknown>, token = counter.token) =>
    test.call(reweighParcel, { token, params: { id }, body: { weightGrams: 1200, ...body } as never })
  const heavy = async (): Promise<{ id: string; number: string; weighing: Weighing }> => {
    const parcel = await handedOver(test, owner, counter)
    const answer = await weigh(parcel.id, { weightGrams: 5200, scaleReading: '5.200 kg' })
    expect(answer.status).toBe(200)
    return { ...parcel, weighing: answer.body }
  }
  const balance = async () => (await test.call(getWallet, { token: owner.token })).body.balanceMinor
  const contest = (id: string, token = owner.token) =>
    test.call(contestWeighing, { token, params: { id }, body: { reason: 'I weighed it at home' } })
  const decide = (weighing: { id: string; version: number }, body: Record<string, unknown>, token = judge.token) =>
    test.call(decideDispute, {
      token,
      params: { id: weighing.id },
      body: { version: weighing.version, note: 'Weighed again', ...body } as never,
    })
  const listWeighings = (id: string) => {
    const query = test.deps.db.selectFrom('parcel_weighings').select('state').where('parcel_id', '=', id)
    return query.orderBy('created_at').orderBy('id').execute()
  }
  const pay = (id: string, totalSeenMinor: number) =>
    test.call(payOutstanding, { token: owner.token, body: { parcelIds: [id], totalSeenMinor, pin: testPin } })
  const photo = async (
    by: { accountId: string | null; userId: string },
    purpose: 'reweigh_photo' | 'dispute_photo',
  ) => {
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#808080' } })
      .png()
      .toBuffer()
    return (await storeAttachment(test.deps, undefined, by, bytes, { purpose, name: 'scale' })).id
  }

  describe('a mistyped weight', () => {
    it('needs a confirmation, and nothing is stored before it', async () => {
      const parcel = await handedOver(test, owner, counter)
      const refused = await weigh(parcel.id, { weightGrams: 12_000 })
      expect([refused.status, refused.error.code]).toEqual([422, 'weight_far_off'])
      expect(refused.error.errors?.map(({ field }) => field)).toEqual(['weightGrams'])
      expect((await parcelNow(test, owner, parcel.id)).status).toBe('inbound')
      expect((await weigh(parcel.id, { weightGrams: 12_000, confirmed: true })).status).toBe(200)
      expect((await parcelNow(test, owner, parcel.id)).status).toBe('outstanding')
    })

    it('can be corrected by the same station within half an hour: nothing is due and the parcel moves on', async () => {
      const { id, number } = await heavy()
      const before = await test.call(staffParcelByNumber, { token: counter.token, params: { no: number } })
      expect(before.body.weighingCorrectableUntil).not.toBeNull()
      const corrected = await weigh(id, { weightGrams: 1200 })
      expect([corrected.status, corrected.body.state, corrected.body.dueMinor]).toEqual([200, 'noted', 0])
      const after = await parcelNow(test, owner, id)
      expect([after.status, after.amountDueMinor]).toEqual(['inbound', 0])
      const rows = await listWeighings(id)
      expect(rows.map(({ state }) => state)).toEqual(['withdrawn', 'noted'])
      const decided = await test.call(listDisputes, { token: judge.token, query: { state: 'decided' } })
      expect(decided.body.items.map(({ parcelId }) => parcelId)).not.toContain(id)
      await test.settle()
      await test.mailbox.waitFor(({ to, subject }) => to.includes(owner.email) && subject.includes('weighed again'))
    })

    it('leaves the correct difference due if the corrected weight is still higher', async () => {
      const { id, weighing } = await heavy()
      const corrected = await weigh(id, { weightGrams: 3200 })
      expect(corrected.body.state).toBe('open')
      expect(corrected.body.dueMinor).toBeLessThan(weighing.dueMinor)
      expect((await parcelNow(test, owner, id)).amountDueMinor).toBe(corrected.body.dueMinor)
    })

    it('cannot be corrected later, elsewhere, after payment, or after the sender’s response', async () => {
      const late = await heavy()
      const foreign = await createStaff(test, { stationId: (await findCounter(test)).there })
      expect((await weigh(late.id, {}, foreign.token)).status).toBe(409)
      await sql`update parcel_weighings set created_at = created_at - interval '31 minutes'
        where parcel_id = ${late.id}`.execute(test.deps.db)
      expect((await weigh(late.id, {})).status).toBe(409)
      const parcel = await heavy()
      expect((await pay(parcel.id, parcel.weighing.dueMinor)).status).toBe(200)
      expect((await weigh(parcel.id, {})).body.differenceMinor).toBeLessThan(0)
      const contested = await heavy()
      expect((await contest(contested.id)).status).toBe(200)
      expect((await weigh(contested.id, {})).body).toMatchObject({ state: 'noted', differenceMinor: 0 })
    })
  })

  it('stores one weighing for requests with the same key', async () => {
    const parcel = await handedOver(test, owner, counter)
    const reading = {
      token: counter.token,
      params: { id: parcel.id },
      body: { weightGrams: 5200 },
      headers: { 'idempotency-key': 'weigh-once' },
    }
    const [first, second] = [await test.call(reweighParcel, reading), await test.call(reweighParcel, reading)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.id).toBe(first.body.id)
    expect(await listWeighings(parcel.id)).toHaveLength(1)
  })

  it('holds a heavier parcel for the difference, with photo, reading and an email to its sender', async () => {
    const parcel = await handedOver(test, owner, counter)
    const before = await parcelNow(test, owner, parcel.id)
    const photoId = await photo({ accountId: null, userId: counter.userId }, 'reweigh_photo')
    const answer = await weigh(parcel.id, { weightGrams: 5200, scaleReading: '5.200 kg', photoId })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      state: 'open',
      declaredGrams: 1200,
      weightGrams: 5200,
      scaleReading: '5.200 kg',
    })
    expect(answer.body.differenceMinor).toBeGreaterThan(0)
    expect(answer.body.dueMinor).toBe(answer.body.differenceMinor)
    expect(answer.body.photo?.link).toContain(photoId)
    const after = await parcelNow(test, owner, parcel.id)
    expect(after).toMatchObject({ status: 'outstanding', trackingStatus: 'in_transit', actualGrams: 5200 })
    expect(after.amountDueMinor).toBe(answer.body.differenceMinor)
    // The paid weight applies until the difference is paid.
    expect(after.priceMinor).toBe(before.priceMinor)
    expect(after.allowedActions).toEqual(expect.arrayContaining(['pay_outstanding', 'contest_weight']))
    expect(after.events[0]?.event).toBe('reweighed_heavier')
    await test.settle()
    const mails = test.mailbox
      .mails()
      .filter(({ to, subject }) => to.includes(owner.email) && subject.includes(parcel.number))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('5.20\u00a0kg')
    // Nobody may forward a held parcel.
    const sort = await test.call(scan, {
      token: counter.token,
      body: { trackingNumber: parcel.number, event: 'sorted' },
    })
    expect([sort.status, sort.error.code]).toEqual([409, 'transition_forbidden'])
  })

  it('refunds the difference of a lighter parcel to the wallet, unless the deployment disables it', async () => {
    const parcel = await handedOver(test, owner, counter)
    const heavy = await weigh(parcel.id, { weightGrams: 5200 })
    await pay(parcel.id, heavy.body.dueMinor)
    const start = await balance()
    const lighter = await weigh(parcel.id, { weightGrams: 1200 })
    expect(lighter.body).toMatchObject({ state: 'noted', dueMinor: 0, contestUntil: null })
    expect(lighter.body.differenceMinor).toBe(-heavy.body.differenceMinor)
    expect(await balance()).toBe(start - lighter.body.differenceMinor)
    expect((await parcelNow(test, owner, parcel.id)).status).toBe('inbound')
    const [movement] = (await test.call(walletHistory, { token: owner.token, query: { limit: 1 } })).body.items
    expect(movement).toMatchObject({ kind: 'refund', reference: parcel.number })
  })

  it('only records a weight within the tolerance or with the same price', async () => {
    const parcel = await handedOver(test, owner, counter)
    for (const weightGrams of [1150, 1240, 1400]) {
      const answer = await weigh(parcel.id, { weightGrams })
      expect(answer.body).toMatchObject({ state: 'noted', differenceMinor: 0, weightGrams })
    }
    expect((await parcelNow(test, owner, parcel.id)).status).toBe('inbound')
  })

  it('charges for larger dimensions than declared', async () => {
    const parcel = await handedOver(test, owner, counter)
    const answer = await weigh(parcel.id, { dimensions: { lengthMm: 500, widthMm: 400, heightMm: 400 } })
    expect(answer.body).toMatchObject({ state: 'open', chargeableGrams: 16_000 })
  })

  it('refuses invalid readings, parcels at other stations, and unauthorised callers', async () => {
    const parcel = await handedOver(test, owner, counter)
    for (const weightGrams of [-1, 0, 1.5, 10_000_001]) {
      expect((await weigh(parcel.id, { weightGrams })).status).toBe(422)
    }
    expect((await weigh('0197b1a6-5b7e-7c3d-9a52-6f1d2c8e4b90', {})).status).toBe(404)
    expect((await weigh(parcel.id, {}, owner.token)).status).toBe(403)
    const foreign = await photo({ accountId: other.accountId, userId: other.userId }, 'dispute_photo')
    const answer = await weigh(parcel.id, { photoId: foreign })
    expect([answer.status, answer.error.errors?.[0]?.field]).toEqual([422, 'photoId'])
    const row = await heavy()
    expect((await test.call(acceptWeighing, { token: owner.token, params: { id: row.id } })).status).toBe(200)
    const again = await weigh(row.id, { weightGrams: 5800 })
    expect([again.status, again.error.code]).toEqual([409, 'transition_forbidden'])
    expect((await test.call(getWeighing, { token: other.token, params: { id: row.id } })).status).toBe(404)
    expect((await test.call(acceptWeighing, { token: other.token, params: { id: row.id } })).status).toBe(404)
    expect((await contest(row.id, other.token)).status).toBe(404)
  })

  it('accepts a dispute with reason and photos, lists it for staff, and releases the parcel when waived', async () => {
    const { id, weighing } = await heavy()
    const photoIds = [await photo(owner, 'dispute_photo')]
    const contested = await test.call(contestWeighing, {
      token: owner.token,
      params: { id },
      body: { reason: 'The box was wet', photoIds },
    })
    expect(contested.body).toMatchObject({ state: 'contested', reason: 'The box was wet', contestUntil: null })
    expect(contested.body.photos).toHaveLength(1)
    const twice = await contest(id)
    expect([twice.status, twice.error.code]).toEqual([409, 'contest_over'])
    const list = await test.call(listDisputes, { token: judge.token })
    expect(list.body.items.map((each) => each.id)).toContain(weighing.id)
    const stale = await decide(weighing, { decision: 'waive' })
    expect([stale.status, stale.error.code]).toEqual([409, 'version_conflict'])
    const waived = await decide(contested.body, { decision: 'waive' })
    expect(waived.body).toMatchObject({
      state: 'waived',
      differenceMinor: 0,
      dueMinor: 0,
      decisionNote: 'Weighed again',
    })
    const after = await parcelNow(test, owner, id)
    expect(after).toMatchObject({ status: 'inbound', amountDueMinor: 0 })
    expect(after.events[0]?.event).toBe('difference_waived')
    const again = await decide(waived.body, { decision: 'uphold' })
    expect([again.status, again.error.code]).toEqual([409, 'contest_over'])
    await test.settle()
    expect(
      test.mailbox.mails().some(({ to, subject }) => to.includes(owner.email) && subject.includes('Nothing is due')),
    ).toBe(true)
  })

  it('refunds a difference to the cent if it was paid before the dispute and then waived', async () => {
    const { id, weighing } = await heavy()
    const start = await balance()
    expect((await pay(id, weighing.dueMinor)).status).toBe(200)
    const parcel = await parcelNow(test, owner, id)
    expect(parcel).toMatchObject({ status: 'inbound', amountDueMinor: 0 })
    expect(parcel.allowedActions).toContain('contest_weight')
    expect(parcel.allowedActions).not.toContain('pay_outstanding')
    const contested = await contest(id)
    const waived = await decide(contested.body, { decision: 'waive' })
    expect(waived.status).toBe(200)
    expect(await balance()).toBe(start)
    expect((await parcelNow(test, owner, id)).priceMinor).toBe((parcel.priceMinor ?? 0) - weighing.differenceMinor)
    await expectSoundBooks(test)
  })

  it('reduces the amount due or refunds the rest if a dispute adjusts the weight', async () => {
    const unpaid = await heavy()
    const first = await contest(unpaid.id)
    const bad = await decide(first.body, { decision: 'adjust' })
    expect([bad.status, bad.error.errors?.[0]?.field]).toEqual([422, 'weightGrams'])
    const dearer = await decide(first.body, { decision: 'adjust', weightGrams: 9000 })
    expect([dearer.status, dearer.error.errors?.[0]?.field]).toEqual([422, 'weightGrams'])
    const adjusted = await decide(first.body, { decision: 'adjust', weightGrams: 2900 })
    expect(adjusted.body.state).toBe('adjusted')
    expect(adjusted.body.dueMinor).toBeLessThan(unpaid.weighing.dueMinor)
    const parcel = await parcelNow(test, owner, unpaid.id)
    expect(parcel).toMatchObject({ status: 'outstanding', amountDueMinor: adjusted.body.dueMinor })
    expect((await pay(unpaid.id, unpaid.weighing.dueMinor)).status).toBe(409)
    expect((await pay(unpaid.id, adjusted.body.dueMinor)).status).toBe(200)

    const paidParcel = await heavy()
    await pay(paidParcel.id, paidParcel.weighing.dueMinor)
    const start = await balance()
    const second = await contest(paidParcel.id)
    const less = await decide(second.body, { decision: 'adjust', weightGrams: 2900 })
    expect(await balance()).toBe(start + paidParcel.weighing.differenceMinor - less.body.differenceMinor)
  })

  it('treats a difference as accepted if the sender accepts or does not respond by the deadline', async () => {
    const { id } = await heavy()
    const accepted = await test.call(acceptWeighing, { token: owner.token, params: { id } })
    expect(accepted.body).toMatchObject({ state: 'accepted', contestUntil: null })
    expect((await parcelNow(test, owner, id)).status).toBe('outstanding')
    expect((await contest(id)).error.code).toBe('contest_over')

    const silent = await heavy()
    // Moves the deadline into the past; advancing the clock would expire the session too.
    const over = new Date(Date.now() - 1000)
    const { db } = test.deps
    await db.updateTable('parcel_weighings').set({ contest_until: over }).where('parcel_id', '=', silent.id).execute()
    await db.updateTable('parcels').set({ contest_until: over }).where('id', '=', silent.id).execute()
    // The deadline applies even if the job has not run yet.
    expect((await contest(silent.id)).error.code).toBe('contest_over')
    await closeSilent(test.deps)
    const { weighing } = (await test.call(getWeighing, { token: owner.token, params: { id: silent.id } })).body
    expect(weighing?.state).toBe('accepted')
    const after = await parcelNow(test, owner, silent.id)
    expect(after.allowedActions).not.toContain('contest_weight')
    expect(after.allowedActions).toContain('pay_outstanding')
  })

  it('charges the price of a booking with that weight, and never less for a higher weight', async () => {
    const parcel = await handedOver(test, owner, counter)
    const price = (await parcelNow(test, owner, parcel.id)).price
    if (!price) throw new Error('no price')
    const service = { scope: 'domestic', serviceType: 'e_parcel', carrier: 'own' } as const
    const size = { lengthMm: 300, widthMm: 200, heightMm: 100 }
    const again = await repriceWithWeight(test.deps, price, service, { weightGrams: 1200, dimensions: size })
    expect(again).toEqual(price)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 0, max: 5000 }), async (grams, more) => {
        const priceAt = (weightGrams: number) =>
          repriceWithWeight(test.deps, price, service, { weightGrams, dimensions: size })
        const [light, dense] = [await priceAt(grams), await priceAt(Math.min(30_000, grams + more))]
        expect(dense.totalMinor).toBeGreaterThanOrEqual(light.totalMinor)
        expect(light.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(light.totalMinor)
      }),
      { numRuns: 100 },
    )
  })

  it('has a transition table in which every state leads to an end without a loss', () => {
    const events = [...new Set(weighingTransitions.map(({ event }) => event))].filter((event) => event !== 'lost')
    const ends = (['noted', 'accepted', 'upheld', 'adjusted', 'waived'] as const).flatMap((state) =>
      events.filter((event) => nextWeighingState(state, event) !== null),
    )
    expect(ends).toEqual([])
    expect(events.filter((event) => nextWeighingState('contested', event))).toEqual(['uphold', 'adjust', 'waive'])
  })
})
