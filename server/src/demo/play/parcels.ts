/** Parcels before their order: created, added to the cart, deleted. */

import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { noteFormats } from '@waybill/contract/parcels/labels'
import type { createParcel } from '@waybill/contract/parcels/parcels'
import { endsAtStation } from '@waybill/contract/pricing/delivery-mode'
import { cancelAndRefund } from '../../domains/orders/refunds/cancel.ts'
import { addDraftsToCart, createDrafter } from '../../domains/parcels/cart/drafts.ts'
import { beginPrintRun } from '../../domains/parcels/labels/print-runs.ts'
import { quoteService } from '../../domains/pricing/service.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { codAmount } from '../story/abroad.ts'
import { type Account, getPricingAccount } from '../story/people.ts'
import { createChance } from '../story/random.ts'
import type { ParcelStory } from '../story/story.ts'
import { photographParcel } from './pictures.ts'
import { type Act, createCaller, type PlayedParcel, type Stage } from './stage.ts'

/** Creates parcels and adds finished ones to the cart, in one step for each member. */
export function parcelActs(stage: Stage, parcels: readonly ParcelStory[]): Act[] {
  const { deps } = stage
  const write = async (parcel: ParcelStory) => {
    const { id } = await createDrafter(deps)(getCreator(parcel), await buildInput(stage, parcel), withoutKey)
    stage.parcels.set(parcel.name, { id, number: '' })
  }
  const addedAt = ({ happened }: ParcelStory) => happened.find(({ event }) => event === 'added_to_cart')?.at
  const added = parcels.filter((parcel) => addedAt(parcel) !== undefined)
  const carts = [...Map.groupBy(added, ({ createdBy }) => createdBy.id).values()].map((ofMember) => ({
    at: new Date(Math.max(...ofMember.map((parcel) => addedAt(parcel)?.getTime() ?? 0))),
    run: () =>
      addDraftsToCart(
        deps,
        getCreator(ofMember[0] as ParcelStory),
        ofMember.map((parcel) => playedParcel(stage, parcel).id),
      ),
  }))
  return [...parcels.map((parcel) => ({ at: parcel.createdAt, run: () => write(parcel) })), ...carts]
}

const getCreator = ({ account, createdBy }: ParcelStory) => createCaller(account, createdBy)

/** A parcel without an order. */
export function looseActs(stage: Stage, parcel: ParcelStory): Act[] {
  const dropped = parcel.happened.find(({ event }) => event === 'cancelled')
  const drop = () => {
    const ids = [playedParcel(stage, parcel).id]
    return cancelAndRefund(stage.deps, getCreator(parcel), { ids, reason: null, refundTo: 'wallet' }, withoutKey)
  }
  return [...parcelActs(stage, [parcel]), ...(dropped ? [{ at: dropped.at, run: drop }] : [])]
}

export function playedParcel({ parcels }: Stage, { name }: ParcelStory): PlayedParcel {
  const parcel = parcels.get(name)
  if (!parcel) throw new Error(`${name} has not been written`)
  return parcel
}

/** A parcel in the cart that has a photo. */
const photographed = 'aisyah cart D2D 0'

/** The parcel that the courier loses; its sender claims its value. */
const lostParcel = 'today 27 0'

/** One in four senders insures valuable goods. */
function insuredValue({ name }: ParcelStory, valueMinor: number): number | null {
  const isInsured = name === lostParcel || createChance(`insured ${name}`).happens(0.25)
  return isInsured && valueMinor >= 20_000 && valueMinor <= 300_000 ? valueMinor : null
}

async function buildInput(stage: Stage, parcel: ParcelStory): Promise<BodyOf<typeof createParcel>> {
  const { goods, sender, receiver, mode, customs, destination, reference } = parcel
  const complete = goods !== null && receiver !== null
  return {
    reference,
    scope: customs ? 'international' : 'domestic',
    // A draft has no service yet, or it would be in the cart.
    serviceType: parcel.happened.length > 0 ? await findService(stage, parcel) : null,
    deliveryMode: mode,
    carrier: null,
    sender,
    receiver,
    dropOffStationId: null,
    selfCollectionStationId: endsAtStation(mode) && complete ? (destination?.id ?? null) : null,
    contentType: goods?.contentType ?? null,
    contentDescription: goods?.description ?? null,
    declaredValueMinor: goods?.valueMinor ?? null,
    insuredValueMinor: goods && insuredValue(parcel, goods.valueMinor),
    collectionMode: null,
    codAmountMinor: codAmount(parcel),
    customs,
    photoIds: parcel.name === photographed ? [await photographParcel(stage, getCreator(parcel))] : [],
    unfinished: null,
    override: [],
    weightGrams: goods?.weightGrams ?? null,
    dimensions: goods?.dimensions ?? null,
    addToCart: false,
    refuseIdentical: false,
  }
}

/** Not every service goes everywhere; the standard one does not either. */
async function findService({ deps }: Stage, parcel: ParcelStory) {
  const { goods, sender, receiver, mode, customs } = parcel
  if (!goods || !receiver) throw new Error(`${parcel.name} is not complete`)
  const request = {
    scope: customs ? ('international' as const) : ('domestic' as const),
    deliveryMode: mode,
    sender: { postcode: sender.postcode, country: sender.country },
    receiver: { postcode: receiver.postcode, country: receiver.country },
    dropOffStationId: null,
    selfCollectionStationId: parcel.destination?.id ?? null,
    weightGrams: goods.weightGrams,
    dimensions: goods.dimensions,
    insuredValueMinor: insuredValue(parcel, goods.valueMinor),
    codAmountMinor: codAmount(parcel),
  }
  const { open } = await quoteService(deps, request, goods.serviceType, getPricingAccount(parcel.account.key))
  return open ? goods.serviceType : 'e_parcel'
}

/** Prints the consignment notes of an account's latest parcels on every paper size. */
export async function printNotes({ deps, trx }: Stage, account: Account): Promise<void> {
  const parcels = await trx
    .selectFrom('parcels')
    .select('id')
    .where('account_id', '=', account.id)
    .where('status', 'in', ['pending_dropoff', 'pending_pickup'])
    .orderBy('id')
    .limit(2)
    .execute()
  const ids = parcels.map(({ id }) => id)
  const caller = createCaller(account, account.owner)
  for (const format of noteFormats) await beginPrintRun(deps, caller, { ids, format, startAt: 1 }, withoutKey)
}
