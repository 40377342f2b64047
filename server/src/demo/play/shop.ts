/**
 * A company that brings its parcels to a counter: one was billed and never paid, so its statement is overdue. For
 * another the receiver pays at the counter: the sender has paid its freight there in cash, and it waits to be
 * collected.
 */
import type { Party } from '@waybill/contract/addresses/addresses'
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { createParcel } from '@waybill/contract/parcels/parcels'
import { summarizeCheckout } from '../../domains/orders/checkout.ts'
import { createCheckouts } from '../../domains/orders/new-orders.ts'
import { bookInStore } from '../../domains/orders/pay-at-counter/service.ts'
import { addDraftsToCart, createDrafter } from '../../domains/parcels/cart/drafts.ts'
import type { ScanBody } from '../../domains/parcels/scanning/scan-checks.ts'
import { createScanner } from '../../domains/parcels/scanning/service.ts'
import { getDue, sell } from '../../domains/payments/cash-desk/sell.ts'
import { payByBilling } from '../../domains/payments/pay-by-month.ts'
import { withoutKey } from '../../http/idempotency.ts'
import { days, hours, later, minutes } from '../../lib/clock.ts'
import { sideAccounts } from '../story/people.ts'
import { createChance } from '../story/random.ts'
import { drawSignature } from '../story/signature.ts'
import { localMidnight } from '../story/time.ts'
import { type Act, createCaller, type Stage, staffCaller } from './stage.ts'

/** Parcels of this company. */
export const shopParcelCount = 2

const shop = sideAccounts.overdue
const town = { postcode: '40000', city: 'Shah Alam', state: 'Selangor', country: 'my', email: null, remarks: null }
const sender: Party = {
  ...town,
  contactName: shop.owner.name,
  company: shop.name,
  phone: shop.owner.phone,
  line1: '22, Jalan Plumbum 7/1',
  line2: 'Seksyen 7',
  residential: false,
}
const receiver: Party = {
  ...town,
  contactName: 'Rozita Mohamad',
  company: null,
  phone: '+60126384957',
  line1: '5, Jalan Kristal 7/65',
  line2: null,
  residential: true,
}

export function shopActs(stage: Stage, now: Date): Act[] {
  const midnight = localMidnight(now)
  const billedAt = later(midnight, -days(66) + hours(10))
  let number = ''
  const bill = async () => {
    const order = await placeOrder(stage, { reference: 'LC-1001', collectionMode: null, codAmountMinor: null })
    const { deps } = stage
    const total = { expectedTotalMinor: order.totalMinor }
    await payByBilling(deps, caller(), order.id, total, deps.translations('en'), withoutKey)
    number = await readTrackingNumber(stage, order.parcelId)
    await scanHere(stage, number, { event: 'accepted' })
  }
  const handOver = () =>
    scanHere(stage, number, {
      event: 'handed_over',
      recipientName: receiver.contactName,
      signaturePath: drawSignature(createChance('signature of Rozita')),
      idDocument: 'passport',
      idLast4: '7713',
    })
  return [
    { at: billedAt, run: bill },
    { at: later(billedAt, hours(27)), run: handOver },
    // Today, after the drawer was opened (`officeActs`), even if the demo is created at midnight.
    { at: new Date(Math.max(+later(now, -minutes(1)), +later(midnight, 1000))), run: () => payAtCounter(stage) },
  ]
}

const caller = () => createCaller(shop, shop.owner)

async function payAtCounter(stage: Stage): Promise<void> {
  const { deps } = stage
  // The fee of this amount makes a total that is rounded in cash.
  const cod = { collectionMode: 'in_store' as const, codAmountMinor: 18_800 }
  const order = await placeOrder(stage, { reference: 'LC-1088', ...cod })
  await bookInStore(deps, caller(), order.id, order.totalMinor, withoutKey)
  const { totalMinor: totalSeenMinor, cashMinor, currency } = await getDue(deps, { code: order.number })
  const givenMinor = Math.ceil(cashMinor / 1000) * 1000
  const sale = { drawerNumber: 1, code: order.number, totalSeenMinor, givenMinor, currency }
  await sell(deps, clerk(stage), sale, withoutKey)
  await scanHere(stage, await readTrackingNumber(stage, order.parcelId), { event: 'accepted' })
}

const findCounter = ({ map }: Stage) => {
  const stop = map.stops.find(({ code }) => code === 'SHA-T11')
  if (!stop) throw new Error('there is no counter in Shah Alam')
  return stop
}
const clerk = (stage: Stage) => staffCaller('kl@waybill.example', findCounter(stage).id)

type ShopOrder = { id: string; number: string; totalMinor: number; parcelId: string }

/** A box of crafts, handed in and collected at the same counter. */
async function placeOrder(
  stage: Stage,
  how: Pick<BodyOf<typeof createParcel>, 'reference' | 'collectionMode' | 'codAmountMinor'>,
): Promise<ShopOrder> {
  const { deps } = stage
  const body: BodyOf<typeof createParcel> = {
    ...how,
    scope: 'domestic',
    serviceType: 'e_parcel',
    deliveryMode: 'P2P',
    carrier: null,
    sender,
    receiver,
    dropOffStationId: null,
    selfCollectionStationId: findCounter(stage).id,
    contentType: 'household',
    contentDescription: 'Rattan baskets, 4 pcs',
    declaredValueMinor: 18_800,
    insuredValueMinor: null,
    customs: null,
    photoIds: [],
    unfinished: null,
    override: [],
    weightGrams: 1_800,
    dimensions: { lengthMm: 300, widthMm: 300, heightMm: 200 },
    addToCart: false,
    refuseIdentical: false,
  }
  const { id: parcelId } = await createDrafter(deps)(caller(), body, withoutKey)
  await addDraftsToCart(deps, caller(), [parcelId])
  const { totalMinor } = await summarizeCheckout(deps, caller(), { parcelIds: [parcelId], pickup: null })
  const checkout = { parcelIds: [parcelId], pickup: null, expectedTotalMinor: totalMinor }
  const { id, number } = await createCheckouts(deps)(caller(), checkout, withoutKey)
  return { id, number, totalMinor, parcelId }
}

async function readTrackingNumber({ trx }: Stage, parcelId: string): Promise<string> {
  const { tracking_number: number } = await trx
    .selectFrom('parcels')
    .select('tracking_number')
    .where('id', '=', parcelId)
    .executeTakeFirstOrThrow()
  return number ?? ''
}

const scanHere = (stage: Stage, trackingNumber: string, scan: Pick<ScanBody, 'event'> & Partial<ScanBody>) =>
  createScanner(stage.deps)(
    clerk(stage),
    { trackingNumber, stationId: findCounter(stage).id, photoIds: [], note: null, ...scan },
    withoutKey,
  )
