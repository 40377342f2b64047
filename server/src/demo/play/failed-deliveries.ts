/** What senders and receivers chose after a failed delivery. Some of them have not answered yet. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { DeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { chooseByLink, makeLinkToken } from '../../domains/parcels/failed-delivery/receiver-link.ts'
import { quoteChoice, readDeliveryChoice } from '../../domains/parcels/failed-delivery/service.ts'
import { chooseForFee } from '../../domains/payments/from-wallet/pay-delivery-choice.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { demoPin } from '../story/logins.ts'
import type { ParcelStory } from '../story/story.ts'
import { playedParcel } from './parcels.ts'
import { createCaller, type Stage } from './stage.ts'
import { ensureCredits } from './wallets.ts'

type Choice = Pick<BodyOf<typeof makeDeliveryChoice>, 'kind'> & Partial<BodyOf<typeof makeDeliveryChoice>>

/** Of the parcels with a failed delivery: a corrected address, another station, a recall, and a day by the receiver. */
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

async function choose(stage: Stage, parcel: ParcelStory, choiceOf: (view: DeliveryChoice) => Choice): Promise<void> {
  const { deps } = stage
  const caller = createCaller(parcel.account, parcel.account.owner)
  const { id } = playedParcel(stage, parcel)
  const choice = {
    date: null,
    stationId: null,
    receiver: null,
    ...choiceOf(await readDeliveryChoice(deps, caller, id)),
  }
  const { feeMinor: expectedFeeMinor } = await quoteChoice(deps, caller, id, choice)
  await ensureCredits(stage, parcel.account, expectedFeeMinor)
  await chooseForFee(deps, caller, id, { ...choice, expectedFeeMinor, pin: demoPin }, withoutKey)
}

/** The receiver follows the link of the mail and names a day. */
async function chooseDay(stage: Stage, parcel: ParcelStory): Promise<void> {
  const { deps } = stage
  const caller = createCaller(parcel.account, parcel.account.owner)
  const { id } = playedParcel(stage, parcel)
  const { attempt, decideUntil, dates } = await readDeliveryChoice(deps, caller, id)
  const token = makeLinkToken(deps, id, attempt, new Date(decideUntil))
  await chooseByLink(deps, token, { kind: 'retry', date: dates[0] ?? null, stationId: null })
}
