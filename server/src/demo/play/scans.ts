/** What stations and riders do with a parcel, and what its sender does while it is on its way. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { failureReasons } from '@waybill/contract/parcels/failed-delivery'
import type { scan } from '@waybill/contract/parcels/scanning'
import { weighAgain } from '../../domains/orders/refunds/weight-refunds.ts'
import { scanParcel } from '../../domains/parcels/scanning/service.ts'
import { scanOfEvent } from '../../domains/parcels/status.ts'
import { acceptWeight, closeSilent, contestWeight } from '../../domains/parcels/weighing/answers.ts'
import { listParcelActions, recallForFee, returnForFee } from '../../domains/payments/from-wallet/pay-fee.ts'
import { payDue } from '../../domains/payments/from-wallet/pay-outstanding.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { codAmount } from '../story/abroad.ts'
import type { Happening } from '../story/journeys.ts'
import { demoPin } from '../story/logins.ts'
import type { Stop } from '../story/map.ts'
import { type Chance, createChance } from '../story/random.ts'
import { drawSignature } from '../story/signature.ts'
import type { ParcelStory } from '../story/story.ts'
import { playedParcel } from './parcels.ts'
import { type Act, createCaller, type Stage, staffCaller } from './stage.ts'
import { ensureCredits } from './wallets.ts'

/** The journey of a parcel from its first station on; `counted`: an event that happens with its whole sack. */
export function journeyActs(stage: Stage, parcel: ParcelStory, sackEvent: string | null): Act[] {
  return parcel.happened.flatMap((happening): Act[] => {
    const { event, at, stop } = happening
    if (event === sackEvent) return []
    if (event === 'reweighed_heavier' && stop) return [{ at, run: () => reweigh(stage, parcel, stop) }]
    if (stop && scanOfEvent(event)) return [{ at, run: () => scanAt(stage, parcel, happening, stop) }]
    if (event === 'difference_paid') return [{ at, run: () => payDifference(stage, parcel) }]
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
    event: scanOfEvent(event) ?? 'sorted',
    stationId: stop.id,
    photoIds: [],
    note: null,
    ...(typeof detail.nextStationId === 'string' ? { nextStationId: detail.nextStationId } : {}),
    ...(event === 'attempt_failed' ? { failureReason: toFailureReason(detail.failureReason) } : {}),
    ...buildProof(parcel, happening),
  }
  await scanParcel(deps, staffCaller(operatorAt(stop).email, stop.id), body, withoutKey)
  // The books say when the money was collected.
  if (body.codCollectedMinor) await stage.dispatchEvents()
}

const toFailureReason = (reason: unknown) => failureReasons.find((each) => each === reason) ?? failureReasons[0]

const handOvers: ReadonlySet<string> = new Set(['delivered', 'handed_over', 'return_received'])

function buildProof(parcel: ParcelStory, { event, state }: Happening): Partial<BodyOf<typeof scan>> {
  if (!handOvers.has(event)) return {}
  const chance = createChance(`proof ${parcel.name}`)
  const to = state.leg === 'return' ? parcel.sender : parcel.receiver
  const cod = state.leg === 'return' || event === 'return_received' ? null : codAmount(parcel)
  return {
    recipientName: event === 'delivered' ? takenBy(to?.contactName ?? '', chance) : (to?.contactName ?? ''),
    signaturePath: drawSignature(chance),
    ...(event === 'handed_over'
      ? { idDocument: 'identity_card' as const, idLast4: String(chance.whole(1000, 9999)) }
      : {}),
    ...(cod === null ? {} : { codCollectedMinor: cod }),
  }
}

function takenBy(name: string, chance: Chance): string {
  return chance.happens(0.8) ? name : chance.pick(['Guard house', 'Reception', 'Mother', 'Neighbour, no. 12'])
}

/** Packed in a hurry: half as heavy again as declared. Bulky ones are charged by their size, and are heavier still. */
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
  const scaleReading = `${(weightGrams / 1000).toFixed(3)} kg`
  const body = { weightGrams, dimensions: null, photoId: null, scaleReading, confirmed: true }
  await weighAgain(deps, staffCaller(operatorAt(stop).email, stop.id), id, body, withoutKey)
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
      const reason = 'My own scale said what I declared. The box may have been weighed with another one.'
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

/** The fee is seen first, and there are credits for it. */
async function chargedAs(stage: Stage, parcel: ParcelStory, action: 'recall' | 'return') {
  const caller = createCaller(parcel.account, parcel.account.owner)
  const { id } = playedParcel(stage, parcel)
  const actions = await listParcelActions(stage.deps, caller, id)
  const expectedFeeMinor = actions[action].fee.totalMinor
  await ensureCredits(stage, parcel.account, expectedFeeMinor)
  return { caller, id, body: { version: actions.version, expectedFeeMinor, pin: demoPin, reason: null } }
}
