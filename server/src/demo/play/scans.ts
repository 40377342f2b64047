/** Scans by stations and riders, and what the sender does while a parcel is in transit. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Label } from '@waybill/contract/ground/enums/labels'
import { findAddressee } from '@waybill/contract/ground/status/parcel-status'
import { type DeliveryChoice, failureReasons, type makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import type { scan } from '@waybill/contract/parcels/scanning'
import type { disputeDecisions } from '@waybill/contract/parcels/weighing'
import { decideWeightDispute, weighAgain } from '../../domains/orders/refunds/weight-refunds.ts'
import { chooseByLink, makeLinkToken } from '../../domains/parcels/failed-delivery/choice-link.ts'
import { recallAbandoned } from '../../domains/parcels/failed-delivery/jobs.ts'
import { quoteChoice, readDeliveryChoice } from '../../domains/parcels/failed-delivery/service.ts'
import { createScanner } from '../../domains/parcels/scanning/service.ts'
import { toScanEvent } from '../../domains/parcels/status.ts'
import { acceptWeight, closeSilent, contestWeight } from '../../domains/parcels/weighing/answers.ts'
import { chooseForFee } from '../../domains/payments/from-wallet/pay-delivery-choice.ts'
import { listParcelActions, recallForFee, returnForFee } from '../../domains/payments/from-wallet/pay-fee.ts'
import { payDue } from '../../domains/payments/outstanding/pay-outstanding.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { codAmount } from '../story/abroad.ts'
import type { Happening } from '../story/journeys.ts'
import { demoPin } from '../story/logins.ts'
import type { Stop } from '../story/map.ts'
import { getTextFor } from '../story/people.ts'
import { type Chance, createChance } from '../story/random.ts'
import { drawSignature } from '../story/signature.ts'
import type { ParcelStory } from '../story/story.ts'
import { playedParcel } from './parcels.ts'
import { photographParcel } from './pictures.ts'
import { type Act, createCaller, type Stage, staffCaller } from './stage.ts'
import { ensureCredits } from './wallets.ts'

/**
 * The journey of a parcel from its first station on; `gunnyEvent`: one that happens with its whole gunny. `onTrips`
 * has the departures and arrivals that happen with a trip.
 */
export function journeyActs(
  stage: Stage,
  parcel: ParcelStory,
  gunnyEvent: string | null,
  onTrips: ReadonlySet<Happening>,
): Act[] {
  return parcel.happened.flatMap((happening): Act[] => {
    const { event, at, stop } = happening
    if (event === gunnyEvent || onTrips.has(happening)) return []
    if (event === 'reweighed_heavier' && stop) return [{ at, run: () => reweigh(stage, parcel, stop) }]
    if (stop && toScanEvent(event)) return [{ at, run: () => scanAt(stage, parcel, happening, stop) }]
    if (event === 'difference_paid') return [{ at, run: () => settleDifference(stage, parcel) }]
    if (event === 'recalled' && happening.detail.unanswered) return [{ at, run: () => recallAbandoned(stage.deps) }]
    if (event === 'recalled') return [{ at, run: () => recall(stage, parcel) }]
    if (event === 'return_requested') return [{ at, run: () => sendBack(stage, parcel) }]
    return []
  })
}

async function scanAt(stage: Stage, parcel: ParcelStory, happening: Happening, stop: Stop): Promise<void> {
  const { deps, operatorAt } = stage
  const { event, detail } = happening
  const body: BodyOf<typeof scan> = {
    trackingNumber: playedParcel(stage, parcel).number,
    event: toScanEvent(event) ?? 'sorted',
    stationId: stop.id,
    photoIds: [],
    note: null,
    ...(typeof detail.nextStationId === 'string' ? { nextStationId: detail.nextStationId } : {}),
    ...(event === 'attempt_failed' ? { failureReason: toFailureReason(parcel, happening) } : {}),
    ...buildProof(parcel, happening),
  }
  await createScanner(deps)(staffCaller(operatorAt(stop).email, stop.id), body, withoutKey)
  // The books record when the money was collected.
  if (body.codCollectedMinor) await stage.dispatchEvents()
}

/** If several attempts fail, each has a rare reason. */
const rareReasons = ['damaged', 'refused', 'other'] as const

function toFailureReason({ happened }: ParcelStory, happening: Happening) {
  const failures = happened.filter(({ event }) => event === 'attempt_failed')
  if (failures.length > 1) return rareReasons[failures.indexOf(happening)] ?? 'other'
  return failureReasons.find((each) => each === happening.detail.failureReason) ?? failureReasons[0]
}

/** Most people show their identity card. */
const shownDocuments = ['identity_card', 'identity_card', 'driving_licence', 'collection_code'] as const

const handOvers: ReadonlySet<string> = new Set(['delivered', 'handed_over', 'return_received'])

function buildProof(parcel: ParcelStory, { event, state }: Happening): Partial<BodyOf<typeof scan>> {
  if (!handOvers.has(event)) return {}
  const chance = createChance(`proof ${parcel.name}`)
  const to = findAddressee({ leg: state.leg, status: state.status, sender: parcel.sender, receiver: parcel.receiver })
  const cod = state.leg === 'return' || event === 'return_received' ? null : codAmount(parcel)
  return {
    recipientName: event === 'delivered' ? takenBy(to?.contactName ?? '', chance) : (to?.contactName ?? ''),
    signaturePath: drawSignature(chance),
    ...(event === 'handed_over'
      ? {
          idDocument: createChance(`document ${parcel.name}`).pick(shownDocuments),
          idLast4: String(chance.whole(1000, 9999)),
        }
      : {}),
    ...(cod === null ? {} : { codCollectedMinor: cod }),
  }
}

function takenBy(name: string, chance: Chance): string {
  return chance.happens(0.8) ? name : chance.pick(['Guard house', 'Reception', 'Mother', 'Neighbour, no. 12'])
}

/** Staff decisions on past weight disputes, by the names of the parcels. */
const decisions: Readonly<Record<string, { decision: (typeof disputeDecisions)[number]; note: Label }>> = {
  'mishap 8 0': {
    decision: 'uphold',
    note: ['Weighed a second time on a checked scale, with the same result.', '用校准过的秤再称一次，结果相同。'],
  },
  'mishap 9 0': {
    decision: 'waive',
    note: ['The pallet was on the scale. We are sorry for that.', '称重时把托盘也算进去了，非常抱歉。'],
  },
  'mishap 10 0': {
    decision: 'adjust',
    note: ['Weighed without the wet carton.', '去掉受潮的纸箱后重新称重。'],
  },
}

/** Why senders contest a weight. */
const objections = {
  past: ['My own scale said what I declared.', '我自己的秤显示的就是申报的重量。'],
  today: [
    'My own scale said what I declared. The box may have been weighed with another one.',
    '我自己的秤显示的就是申报的重量。可能和另一个箱子一起称了。',
  ],
} as const satisfies Record<string, Label>

/** The dispute with photos of both sides. Each photo takes time at the first start, so there is one. */
const photographed = 'mishap 10 0'

/** Pays what is due for a heavier parcel after a decision, if there was one. */
async function settleDifference(stage: Stage, parcel: ParcelStory): Promise<void> {
  const { deps, trx } = stage
  const ruling = decisions[parcel.name]
  const { id } = playedParcel(stage, parcel)
  if (ruling) {
    const caller = createCaller(parcel.account, parcel.account.owner)
    const reason = getTextFor(parcel.account, objections.past)
    const photoIds = parcel.name === photographed ? [await photographParcel(stage, caller, 'dispute_photo')] : []
    const { id: weighingId, version } = await contestWeight(deps, caller, id, { reason, photoIds })
    const weightGrams = ruling.decision === 'adjust' ? (parcel.goods?.weightGrams ?? 0) + 1_000 : null
    const finance = staffCaller('accounts@waybill.example', null)
    const note = getTextFor(parcel.account, ruling.note)
    await decideWeightDispute(deps, finance, weighingId, { ...ruling, note, version, weightGrams, dimensions: null })
  }
  const { status } = await trx.selectFrom('parcels').select('status').where('id', '=', id).executeTakeFirstOrThrow()
  if (status === 'outstanding') await payDifference(stage, parcel)
}

/** Packed in a hurry: half as heavy again as declared. Bulky ones are charged by volume, and are even heavier. */
async function reweigh(stage: Stage, parcel: ParcelStory, stop: Stop): Promise<void> {
  const { deps, trx, operatorAt } = stage
  const { id } = playedParcel(stage, parcel)
  const { volumetric_grams: volumetric } = await trx
    .selectFrom('parcels')
    .select('volumetric_grams')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const heavier = Math.ceil(((parcel.goods?.weightGrams ?? 0) * 1.5 + 900) / 50) * 50
  const weightGrams = Math.max(heavier, (volumetric ?? 0) + 1500)
  const clerk = staffCaller(operatorAt(stop).email, stop.id)
  const photoId = parcel.name === photographed ? await photographParcel(stage, clerk, 'reweigh_photo') : null
  const weigh = (grams: number) => {
    const scaleReading = `${(grams / 1000).toFixed(3)} kg`
    const body = { weightGrams: grams, dimensions: null, photoId, scaleReading, confirmed: true }
    return weighAgain(deps, clerk, id, body, withoutKey)
  }
  // A clerk who misreads the scale weighs again; one weighing finds no difference.
  if (parcel.name === 'mishap 8 0') await weigh(parcel.goods?.weightGrams ?? weightGrams)
  if (parcel.name === 'mishap 9 0') await weigh(weightGrams + 4_000)
  await weigh(weightGrams)
}

/**
 * How senders of heavier parcels respond. Of the parcels held today, one is contested, one is undecided and one is
 * accepted. No response before the deadline counts as acceptance.
 */
export async function answerWeighings(stage: Stage, parcels: readonly ParcelStory[]): Promise<void> {
  await closeSilent(stage.deps)
  const heavier = parcels.filter(({ state }) => state.status === 'outstanding' && state.handedOver)
  for (const [n, parcel] of heavier.entries()) {
    const caller = createCaller(parcel.account, parcel.account.owner)
    const { id } = playedParcel(stage, parcel)
    if (n % 3 === 0) {
      const reason = getTextFor(parcel.account, objections.today)
      await contestWeight(stage.deps, caller, id, { reason, photoIds: [] })
    }
    if (n % 3 === 2) await acceptWeight(stage.deps, caller, id)
  }
}

async function payDifference(stage: Stage, parcel: ParcelStory): Promise<void> {
  const { deps, trx } = stage
  const { id } = playedParcel(stage, parcel)
  const { amount_due_minor: totalSeenMinor } = await trx
    .selectFrom('parcels')
    .select('amount_due_minor')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await ensureCredits(stage, parcel.account, totalSeenMinor)
  const caller = createCaller(parcel.account, parcel.account.owner)
  const body = { parcelIds: [id], totalSeenMinor, pin: demoPin }
  await payDue(deps, caller, body, deps.translations('en'), withoutKey)
}

async function recall(stage: Stage, parcel: ParcelStory): Promise<void> {
  const request = await chargedAs(stage, parcel, 'recall')
  await recallForFee(stage.deps, request.caller, request.id, request.body, withoutKey)
}

async function sendBack(stage: Stage, parcel: ParcelStory): Promise<void> {
  const request = await chargedAs(stage, parcel, 'return')
  await returnForFee(stage.deps, request.caller, request.id, request.body, withoutKey)
}

/** Tops up the wallet for the fee that was shown first. */
async function chargedAs(stage: Stage, parcel: ParcelStory, action: 'recall' | 'return') {
  const caller = createCaller(parcel.account, parcel.account.owner)
  const { id } = playedParcel(stage, parcel)
  const actions = await listParcelActions(stage.deps, caller, id)
  const expectedFeeMinor = actions[action].fee.totalMinor
  await ensureCredits(stage, parcel.account, expectedFeeMinor)
  return { caller, id, body: { version: actions.version, expectedFeeMinor, pin: demoPin, reason: null } }
}

type Choice = Pick<BodyOf<typeof makeDeliveryChoice>, 'kind'> & Partial<BodyOf<typeof makeDeliveryChoice>>

/**
 * Responses to failed deliveries: a corrected address, another station, a recall, and a day that the receiver chooses.
 */
export async function answerFailures(stage: Stage, parcels: readonly ParcelStory[]): Promise<void> {
  await stage.dispatchEvents()
  const failed = parcels.filter(({ state }) => state.status === 'fail-to-deliver')
  const of = (key: string) => failed.filter(({ account }) => account.key === key)
  const [corrected] = of('priya')
  const [dated, diverted] = of('weiming')
  const [recalled] = of('kinabalu')
  if (corrected?.receiver) {
    const receiver = { ...corrected.receiver, line2: 'Rear entrance, second floor' }
    await choose(stage, corrected, () => ({ kind: 'correct', receiver }))
  }
  if (diverted)
    await choose(stage, diverted, ({ stations }) => ({ kind: 'divert', stationId: stations[0]?.id ?? null }))
  if (recalled) await choose(stage, recalled, () => ({ kind: 'recall' }))
  if (dated) await chooseDay(stage, dated)
}

async function choose(stage: Stage, parcel: ParcelStory, choiceFor: (view: DeliveryChoice) => Choice): Promise<void> {
  const { deps } = stage
  const caller = createCaller(parcel.account, parcel.account.owner)
  const { id } = playedParcel(stage, parcel)
  const choice = {
    date: null,
    stationId: null,
    receiver: null,
    ...choiceFor(await readDeliveryChoice(deps, caller, id)),
  }
  const { feeMinor: expectedFeeMinor } = await quoteChoice(deps, caller, id, choice)
  await ensureCredits(stage, parcel.account, expectedFeeMinor)
  await chooseForFee(deps, caller, id, { ...choice, expectedFeeMinor, pin: demoPin }, withoutKey)
}

/** The receiver follows the link in the mail and chooses a day. */
async function chooseDay(stage: Stage, parcel: ParcelStory): Promise<void> {
  const { deps } = stage
  const caller = createCaller(parcel.account, parcel.account.owner)
  const { id } = playedParcel(stage, parcel)
  const { attempt, decideUntil, dates } = await readDeliveryChoice(deps, caller, id)
  const token = makeLinkToken(deps, 'receiver', { parcelId: id, attempt, until: new Date(decideUntil) })
  await chooseByLink(deps, token, { kind: 'retry', date: dates[0] ?? null, stationId: null })
}
