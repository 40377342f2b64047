import { getApprovalRule } from '@waybill/contract/accounts/company'
import { getDashboard } from '@waybill/contract/dashboard/dashboard'
import { getConsent } from '@waybill/contract/orders/monthly-billing'
import { getInvoice } from '@waybill/contract/orders/orders'
import { getParcelActions } from '@waybill/contract/parcels/allowed-actions'
import { getCustomsDocument } from '@waybill/contract/parcels/customs'
import { getDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { createGunny } from '@waybill/contract/parcels/gunny'
import { calculateVweight, createParcel } from '@waybill/contract/parcels/parcels'
import { reweighParcel } from '@waybill/contract/parcels/weighing'
import { pricePickup } from '@waybill/contract/pricing/pricing'
import { getGeneralSettings, getOptions, getSelector } from '@waybill/contract/settings/settings'
import { topUp } from '@waybill/contract/wallet/wallet'
import { recordActivity } from '../../src/activity.ts'
import { sweep } from '../../src/jobs/housekeeping.ts'
import { dayIn, days, later } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { abroad, customs } from '../parcels/customs/gifts.ts'
import { askPrices, getLines, quoteParcel } from '../pricing/quotes.ts'
import { listActivities } from '../testing/activities.ts'
import type { TestApp } from '../testing/app.ts'
import { createCustomer } from '../testing/factories/accounts.ts'
import { findCounter, handedOver, parcelNow, scanned, undelivered } from '../testing/factories/handed-over.ts'
import { payCredits, placeOrder } from '../testing/factories/orders.ts'
import { createParcel as makeParcel, parcelBody } from '../testing/factories/parcels.ts'
import { fundWallet, setWalletPin } from '../testing/factories/wallet.ts'
import { openPaper } from '../testing/paper.ts'
import { createPrintedViews } from './printed-views.ts'

const dayMs = days(1)
const daysFrom = (from: Date, until: string | null) =>
  until === null ? null : Math.round((new Date(until).getTime() - from.getTime()) / dayMs)

export type Views = Awaited<ReturnType<typeof createViews>>

/** What customers, staff and visitors see of the settings, over HTTP. */
export async function createViews(test: TestApp) {
  const owner = await createCustomer(test)
  const company = await createCustomer(test, { userType: 'corporate' })
  const { there, counter } = await findCounter(test)
  for (const each of [owner, company]) {
    await fundWallet(test, each, 5_000_000)
    await setWalletPin(test, each)
  }
  const { token } = owner
  const { db, clock } = test.deps

  /** The delivery date of a parcel in transit, and the actions that are available then. */
  const listActions = async (id: string) => (await test.call(getParcelActions, { token, params: { id } })).body
  const body = parcelBody({ deliveryMode: 'P2D' })

  return {
    ...createPrintedViews(test, owner),
    /** The states of a drop-down for an address without a country. */
    states: async () => (await test.call(getSelector, { params: { name: 'states' } })).body.items,
    /** The offset from UTC in hours of the times on printed documents. */
    printedHours: async () => {
      const text = await createPrintedViews(test, owner).pickupListText()
      const [, time = ''] = /(\d{2} \w{3} \d{4} \d{2}:\d{2})/.exec(text) ?? []
      return Math.round((Date.parse(`${time} UTC`) - clock.now().getTime()) / 3_600_000)
    },
    options: async () => (await test.call(getOptions)).body,
    /** The price lines of a parcel with every chargeable option. */
    quotedLines: async () => getLines(await quoteParcel(test, { insuredValueMinor: 10_000, codAmountMinor: 10_000 })),
    quoteStatus: async () => (await askPrices(test)).status,
    pickupFee: async () => (await test.call(pricePickup, { body: { postcode: '50480' } })).body.feeMinor,
    volumetricGrams: async () => {
      const size = { lengthMm: 300, widthMm: 200, heightMm: 100, weightGrams: 100 }
      return (await test.call(calculateVweight, { body: size })).body.volumetricGrams
    },
    /** The field for which a new parcel is rejected; null if it is accepted. */
    refusedField: async (overrides: Record<string, unknown>) => {
      const answer = await test.call(createParcel, { token, body: { ...body, ...overrides } as never })
      return answer.error?.errors?.[0]?.field ?? null
    },
    /** The courier's details on a new invoice. */
    seller: async (): Promise<Record<string, unknown>> => {
      const order = await placeOrder(test, owner)
      await payCredits(test, owner, order)
      return (await test.call(getInvoice, { token, params: { id: order.id } })).body.seller
    },
    /** The prefix of a new tracking number. */
    newNumber: async () => {
      const order = await placeOrder(test, owner)
      await payCredits(test, owner, order)
      const parcel = await parcelNow(test, owner, order.parcels[0]?.id ?? '')
      return parcel.trackingNumber?.replace(/\d+$/, '')
    },
    /** The company prefix in the SSCC of a new gunny. */
    companyOfSack: async () => {
      const parcel = await makeParcel(test, owner, { status: 'pending_dropoff', delivery_mode: 'P2D' })
      const gunny = await test.call(createGunny, { token, body: { numbers: [parcel.tracking_number ?? ''] } })
      return gunny.body.sscc.slice(1, 8)
    },
    imprint: async () => (await test.call(getGeneralSettings, {})).body.imprint,
    termsVersion: async () => (await test.call(getConsent, { token: company.token })).body.version,
    approvalDays: async () => (await test.call(getApprovalRule, { token: company.token })).body.days,
    topUp: async (amountMinor: number) => (await test.call(topUp, { token, body: { amountMinor } })).status,
    /** The customs form of a gift. */
    customsForm: async () => {
      const gift = await makeParcel(test, owner, {
        scope: 'international',
        carrier: 'dhl',
        status: 'pending_pickup',
        receiver: abroad,
        customs: JSON.stringify(customs()) as never,
      })
      const answer = await test.app.inject({
        url: getCustomsDocument.path.replace(':id', gift.id),
        headers: { authorization: `Bearer ${token}` },
      })
      const [page] = (await openPaper(answer.rawPayload)).pages
      return /CN 2[23]/.exec(page?.text ?? '')?.[0]
    },
    /** The tax on an international parcel; without one, the tax on its domestic pickup. */
    taxAbroad: async () => {
      const quote = await quoteParcel(test, { scope: 'international', receiver: abroad })
      return getLines(quote).tax
    },
    /**
     * The fees to recall a parcel in transit and to return a delivered one, and the days in which a return is possible.
     */
    fees: async () => {
      const moving = await handedOver(test, owner, counter)
      const { recall } = await listActions(moving.id)
      const delivered = await makeParcel(test, owner, { status: 'completed', delivery_mode: 'P2D' })
      const actions = await listActions(delivered.id)
      const returnDays = daysFrom(clock.now(), actions.return.until)
      return { recall: recall.fee.totalMinor, return: actions.return.fee.totalMinor, returnDays }
    },
    /** The effect of a weighing at the counter on a parcel with a declared weight of 1.2 kg. */
    weighed: async (weightGrams: number) => {
      const { id } = await handedOver(test, owner, counter)
      const weighing = await test.call(reweighParcel, {
        token: counter.token,
        params: { id },
        body: { weightGrams, dimensions: { lengthMm: 100, widthMm: 100, heightMm: 100 }, confirmed: true } as never,
      })
      const { differenceMinor, contestUntil } = weighing.body
      const hours = contestUntil && Math.round((new Date(contestUntil).getTime() - clock.now().getTime()) / 3_600_000)
      return { differenceMinor, contestHours: hours }
    },
    silenceHours: async () => (await test.call(getDashboard, { token })).body.silenceHours,
    /** The options of the sender after a failed delivery. */
    deliveryChoice: async () => {
      const { id } = await undelivered(test, owner, counter)
      const { options, attemptsAllowed, decideUntil } = (await test.call(getDeliveryChoice, { token, params: { id } }))
        .body
      return {
        attempts: attemptsAllowed,
        decideDays: daysFrom(clock.now(), decideUntil),
        fees: Object.fromEntries(options.map(({ kind, feeMinor }) => [kind, feeMinor])) as Record<string, number>,
      }
    },
    /** The days for which a parcel is kept at its self-collection station. */
    collectionDays: async () => {
      const parcel = await makeParcel(test, owner, {
        status: 'outbound',
        delivery_mode: 'D2P',
        self_collection_station_id: there,
      })
      const number = parcel.tracking_number ?? ''
      await scanned(test, counter, number, 'arrived')
      await scanned(test, counter, number, 'departed', { nextStationId: there })
      await scanned(test, counter, number, 'arrived', { stationId: there })
      const today = dayIn(clock.now(), test.deps.settings.get('timezone'))
      return daysFrom(new Date(today), (await parcelNow(test, owner, parcel.id)).collectUntil)
    },
    /** The number of entries of the activity log that remain after 200 days. */
    oldActivity: async () => {
      const action = `test.${newId()}`
      await recordActivity(db, { action, at: later(clock.now(), -days(200)) })
      await sweep(test.deps)
      return (await listActivities(test, { action })).length
    },
    /** The number of notifications that remain after 80 days. */
    oldNotifications: async () => {
      const at = later(clock.now(), -days(80))
      const row = { id: newId(), user_id: owner.userId, kind: 'wallet_low', created_at: at, delivered_at: at }
      await db.insertInto('notifications').values(row).execute()
      await sweep(test.deps)
      return (await db.selectFrom('notifications').select('id').where('id', '=', row.id).execute()).length
    },
    /** The number of gateway messages that remain after 200 days. */
    oldGatewayMessages: async () => {
      const at = later(clock.now(), -days(200))
      const row = { id: newId(), source: 'backend', accepted: true, payload: '{}', reason: 'old', review: 'open' }
      await db
        .insertInto('gateway_messages')
        .values({ ...row, trouble: null, at })
        .execute()
      await sweep(test.deps)
      return (await db.selectFrom('gateway_messages').select('id').where('id', '=', row.id).execute()).length
    },
  }
}
