import { cancelParcels } from '@waybill/contract/orders/refunds'
import { makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { payOutstanding } from '@waybill/contract/parcels/outstanding'
import { createParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import {
  acceptWeighing,
  contestWeighing,
  decideDispute,
  getWeighing,
  reweighParcel,
} from '@waybill/contract/parcels/weighing'
import { getWallet } from '@waybill/contract/wallet/wallet'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { coveringStation } from '../../../src/domains/stations/network.ts'
import { buildTestApp, type TestApp } from '../../testing/app.ts'
import { createStaff, type TestCustomer, type TestStaff } from '../../testing/factories/accounts.ts'
import { parcelNow, scanned } from '../../testing/factories/handed-over.ts'
import { seedTestNetwork } from '../../testing/factories/network.ts'
import { orderParcels, payCredits } from '../../testing/factories/orders.ts'
import { testParty, testReceiver } from '../../testing/factories/parcels.ts'
import { createPayer, expectSoundBooks, testPin } from '../../testing/factories/wallet.ts'
import { proveMoneyAndState } from '../../testing/money-walk-proof.ts'

const receivers = {
  near: testReceiver({ line1: '99 Jalan Tun Razak', postcode: '50400', city: 'Kuala Lumpur', state: 'Kuala Lumpur' }),
  north: testReceiver(),
  east: testReceiver({ line1: '5 Jalan Gaya', postcode: '88000', city: 'Kota Kinabalu', state: 'Sabah' }),
}
type Place = keyof typeof receivers
const places = Object.keys(receivers) as Place[]
const weights = [400, 1200, 2200, 5200, 9200]
const dimensions = { lengthMm: 100, widthMm: 100, heightMm: 100 }
/** The fee of a corrected address, with tax. */
const correctionFee = 212

type Kind = 'weigh' | 'correct' | 'pay' | 'contest' | 'accept' | 'waive' | 'uphold' | 'adjust'
type Step = { does: Kind; grams: number; to: Place }

/** What happens often is what makes differences on top of each other. */
const anyKind: fc.Arbitrary<Kind> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Kind[]>('weigh', 'correct', 'pay', 'contest') },
  { weight: 1, arbitrary: fc.constantFrom<Kind[]>('waive', 'adjust', 'adjust', 'uphold', 'accept') },
)
const anyStep = fc.record({ does: anyKind, grams: fc.constantFrom(...weights), to: fc.constantFrom(...places) })

/** A difference between two weights in a zone. `open`: it can be contested. */
type Difference = { zone: Place; from: number; to: number; state: 'open' | 'contested' | 'ended'; paid: boolean }

/** A parcel by the rules: its station, its address, and the zone and weight that its price charges. */
type Model = { at: Place; address: Place; zone: Place; grams: number; last: Difference | null; corrections: number }

type Sent = { id: string; number: string }

describe('the price of a parcel that is weighed, disputed and redirected in any order', () => {
  let test: TestApp
  let judge: TestStaff
  const counters = {} as Record<Place, TestStaff>
  const prices = new Map<string, number>()
  const findPrice = (place: Place, grams: number) => prices.get(`${place} ${grams}`) ?? Number.NaN
  const balance = async ({ token }: TestCustomer) => (await test.call(getWallet, { token })).body.balanceMinor

  beforeAll(async () => {
    test = await buildTestApp()
    await seedTestNetwork(test)
    await test.deps.db.insertInto('settings').values({ key: 'delivery.maxAttempts', value: '10' }).execute()
    await test.deps.settings.reload()
    judge = await createStaff(test, { role: 'account_manager' })
    const shopper = await createPayer(test)
    for (const place of places) {
      const { country, postcode } = receivers[place]
      const station = await coveringStation(test.deps.db, country, postcode)
      counters[place] = await createStaff(test, { stationId: station?.station.id ?? null })
      for (const grams of weights)
        prices.set(`${place} ${grams}`, (await putInCart(shopper, place, grams)).priceMinor ?? 0)
    }
  })

  async function putInCart({ token }: TestCustomer, to: Place, weightGrams: number): Promise<Parcel> {
    const contents = { sender: testParty(), receiver: receivers[to], contentType: 'clothing' as const, dimensions }
    const body = { serviceType: 'e_parcel', deliveryMode: 'P2D', ...contents, weightGrams, addToCart: true } as const
    const answer = await test.call(createParcel, { token, body })
    expect(answer.status, JSON.stringify(answer.error)).toBe(200)
    return answer.body
  }

  /** The price and the amount due by the rules. */
  const findCharge = ({ zone, grams }: Model) => findPrice(zone, grams)
  const findDifference = ({ zone, from, to }: Difference) => findPrice(zone, to) - findPrice(zone, from)
  const findDue = ({ last }: Model) => (last && !last.paid ? findDifference(last) : 0)

  /** What the rules say of a reading of the scale. */
  function weighModel(model: Model, grams: number): void {
    const { zone, last } = model
    const more = findPrice(zone, grams) - findCharge(model)
    if (last?.state === 'contested' || more === 0 || (more > 0 && last?.state === 'open')) return
    if (more > 0) {
      model.last = { zone, from: model.grams, to: grams, state: 'open', paid: false }
      return
    }
    model.grams = grams
    if (last?.state !== 'open') return
    const lower = { ...last, to: grams }
    if (findDifference(lower) <= 0) last.state = 'ended'
    else if (findDifference(lower) < findDifference(last)) last.to = grams
  }

  /** What the rules say of a decision that the parcel weighed so much. */
  function decideModel(model: Model, last: Difference, grams: number): void {
    last.state = 'ended'
    last.to = findPrice(last.zone, grams) > findPrice(last.zone, last.from) ? grams : last.from
    if (last.paid && findPrice(model.zone, last.to) < findCharge(model)) model.grams = last.to
  }

  /** Whether the rules allow a step. */
  function isPossible(model: Model, { does, grams, to }: Step): boolean {
    const { last } = model
    const isHeld = findDue(model) > 0
    switch (does) {
      case 'weigh':
        return !isHeld
      case 'correct':
        return !isHeld && to !== model.address && model.corrections < 9
      case 'pay':
        return isHeld
      case 'contest':
      case 'accept':
        return last?.state === 'open'
      case 'waive':
      case 'uphold':
        return last?.state === 'contested'
      case 'adjust':
        return last?.state === 'contested' && findPrice(last.zone, grams) < findPrice(last.zone, last.to)
    }
  }

  /** Takes a step over HTTP and in the model. */
  async function take(owner: TestCustomer, { id, number }: Sent, model: Model, { does, grams, to }: Step) {
    const last = model.last as Difference
    const at = { token: owner.token, params: { id } }
    const expectDone = ({ status, error }: { status: number; error: unknown }) =>
      expect(status, `${does}: ${JSON.stringify(error)}`).toBe(200)
    switch (does) {
      case 'weigh': {
        const body = { weightGrams: grams, dimensions, confirmed: true }
        expectDone(await test.call(reweighParcel, { token: counters[model.at].token, params: { id }, body }))
        return weighModel(model, grams)
      }
      case 'pay': {
        const body = { parcelIds: [id], totalSeenMinor: findDue(model), pin: testPin }
        expectDone(await test.call(payOutstanding, { token: owner.token, body }))
        model.grams = last.to
        last.paid = true
        return
      }
      case 'contest':
        expectDone(await test.call(contestWeighing, { ...at, body: { reason: 'I weighed it at home' } }))
        last.state = 'contested'
        return
      case 'accept':
        expectDone(await test.call(acceptWeighing, at))
        last.state = 'ended'
        return
      case 'correct': {
        const choice = { kind: 'correct' as const, receiver: receivers[to] }
        await scanned(test, counters[model.at], number, 'out_for_delivery')
        await scanned(test, counters[model.at], number, 'attempt_failed', { failureReason: 'bad_address' })
        const more = Math.max(0, findPrice(to, model.grams) - findCharge(model))
        const body = { ...choice, expectedFeeMinor: correctionFee + more, pin: testPin }
        expectDone(await test.call(makeDeliveryChoice, { ...at, body }))
        await scanned(test, counters[to], number, 'arrived')
        Object.assign(model, { at: to, address: to, corrections: model.corrections + 1 })
        if (more > 0) model.zone = to
        return
      }
      default: {
        const { weighing } = (await test.call(getWeighing, at)).body
        const weightGrams = does === 'adjust' ? grams : null
        const body = { version: weighing?.version ?? 0, decision: does, weightGrams, dimensions, note: 'Weighed again' }
        expectDone(await test.call(decideDispute, { token: judge.token, params: { id: weighing?.id ?? '' }, body }))
        decideModel(model, last, does === 'uphold' ? last.to : (weightGrams ?? last.from))
      }
    }
  }

  it('is what the customer has paid less all refunds, and each order can refund the rest', async () => {
    const anySteps = fc.array(anyStep, { minLength: 24, maxLength: 24 })
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const owner = await createPayer(test)
        const start = await balance(owner)
        const [own, other] = [await putInCart(owner, 'near', 1200), await putInCart(owner, 'east', 9200)]
        const order = await orderParcels(test, owner, [own, other], 'P2D')
        expect((await payCredits(test, owner, order)).status).toBe(200)
        const parcel = { id: own.id, number: (await parcelNow(test, owner, own.id)).trackingNumber ?? '' }
        await scanned(test, counters.near, parcel.number, 'accepted')
        const model: Model = { at: 'near', address: 'near', zone: 'near', grams: 1200, last: null, corrections: 0 }
        for (const step of steps) {
          if (!isPossible(model, step)) continue
          await take(owner, parcel, model, step)
          const now = await parcelNow(test, owner, own.id)
          expect([now.priceMinor, now.amountDueMinor], step.does).toEqual([findCharge(model), findDue(model)])
          const spentMinor = start - (await balance(owner)) - correctionFee * model.corrections
          expect(spentMinor, step.does).toBe(findCharge(model) + findPrice('east', 9200))
        }
        const body = { ids: [other.id], refundTo: 'wallet' as const, reason: 'Not needed' }
        const answer = await test.call(cancelParcels, { token: owner.token, body })
        expect(answer.body.refunds).toMatchObject([{ orderId: order.id, amountMinor: findPrice('east', 9200) }])
        await proveMoneyAndState(test.deps.db)
        await expectSoundBooks(test)
      }),
      // A failure is reported at once, with its steps: to shorten them takes minutes.
      { numRuns: 12, endOnFailure: true },
    )
  }, 120_000)
})
