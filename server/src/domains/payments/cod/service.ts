/** Cash on delivery: collected once, then owed to the sender until it is paid out, once, into the wallet. */

import { getWeekday } from '@waybill/contract/ground/days'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { CodItem, CodPayout, listCod, listCodPayouts } from '@waybill/contract/payments/cod'
import type { CodOutstanding, listCodOwed, payOutCod } from '@waybill/contract/payments/cod-payouts'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { addJob, getScheduledTime, type Jobs, type ScheduledRun } from '../../../jobs/jobs.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { accountNames, findAccountOwner, findStaffNames } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { planCharge } from '../../orders/charges.ts'
import { sumLines } from '../../orders/rules.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { payoutCharge } from '../../pricing/service.ts'
import { postEntry, postWrites } from '../../wallet/ledger/service.ts'
import { paymentsWrite } from '../queries.ts'
import { buildOrderEntry, buildSettledPayment } from '../settled-order.ts'
import {
  type CodItemRow,
  claimOwedForPayout,
  collectionPage,
  insertCollections,
  insertPayouts,
  listOwedAccounts,
  listOwedPage,
  type PayoutRow,
  payoutPage,
  setFeeOrder,
  sumOutstanding,
  sumOwed,
  sumPaidOut,
} from './queries.ts'

/**
 * Books collected cash: the station holds it and owes it to the sender. An event that is delivered twice is booked
 * once, because a parcel has one collection.
 */
export const bookCollected: OutboxHandler<'cod.collected'> = async (deps, trx, deliveries) => {
  const at = deps.clock.now()
  const collections = await insertCollections(
    trx,
    deliveries.map(({ actorId, ...row }) => ({ ...row, collectedBy: actorId, at })),
  )
  for (const row of collections) {
    await postEntry(deps, trx, {
      kind: 'cod_collected',
      accountId: row.account_id,
      reference: row.tracking_number,
      actorId: row.collected_by,
      log: 'cod.collected',
      currency: row.currency,
      postings: [
        {
          book: 'station_cash',
          ...(row.station_id ? { stationId: row.station_id } : {}),
          amountMinor: -row.amount_minor,
        },
        { book: 'cod_payable', accountId: row.account_id, amountMinor: row.amount_minor },
      ],
    })
  }
}

/** The account's collections, and the amount owed to it. Parcels that the caller may not see have no number. */
export async function getCodOverview(
  deps: Deps,
  caller: CustomerCaller,
  { state, offset, limit }: QueryOf<typeof listCod>,
): Promise<ResponseOf<typeof listCod>> {
  const { accountId } = caller
  const currency = deps.settings.get('currency')
  const [{ rows, total }, owedMinor, paidOutMinor] = await Promise.all([
    collectionPage(deps.db, accountId, { createdBy: onlyCreatedBy(caller), state: state ?? null, offset, limit }),
    sumOwed(deps.db, accountId, currency),
    sumPaidOut(deps.db, accountId, currency),
  ])
  return { items: rows.map(presentItem), total, offset, limit, currency, owedMinor, paidOutMinor }
}

function presentItem(row: CodItemRow): CodItem {
  return {
    parcelId: row.parcel_id,
    trackingNumber: row.tracking_number,
    amountMinor: row.amount_minor,
    currency: row.currency,
    collectedAt: row.collected_at.toISOString(),
    state: row.payout_id ? 'paid_out' : 'owed',
    payoutNumber: row.payout_number,
    paidOutAt: row.paid_out_at?.toISOString() ?? null,
  }
}

/** Payouts, newest first; `accountId` null: of every sender. */
export async function listPayouts(
  deps: Deps,
  accountId: AccountId | null,
  query: QueryOf<typeof listCodPayouts> & { from?: string | undefined; to?: string | undefined },
): Promise<ResponseOf<typeof listCodPayouts>> {
  const { offset, limit } = query
  const filter = {
    accountId,
    from: query.from ?? null,
    to: query.to ?? null,
    timeZone: deps.settings.get('timezone'),
  }
  const { rows, total } = await payoutPage(deps.db, filter, { offset, limit })
  // Senders do not see which member of staff paid.
  return { items: await presentPayouts(deps.db, rows, { staff: accountId === null }), total, offset, limit }
}

/** Payouts for the API. */
export async function presentPayouts(
  db: DbOrTx,
  rows: readonly PayoutRow[],
  { staff }: { staff: boolean },
): Promise<CodPayout[]> {
  const [accounts, names] = await Promise.all([
    accountNames(db, [...new Set(rows.map(({ account_id }) => account_id))]),
    staff ? findStaffNames(db, [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))]) : new Map(),
  ])
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    accountId: row.account_id,
    accountName: accounts.get(row.account_id) ?? '–',
    currency: row.currency,
    parcelCount: row.parcel_count,
    collectedMinor: row.collected_minor,
    feeMinor: row.fee_minor,
    paidMinor: row.collected_minor - row.fee_minor,
    by: (row.created_by && names.get(row.created_by)) ?? null,
    at: row.created_at.toISOString(),
  }))
}

/** The fee of a payout, tax included. An amount that it would use up is paid in full, so that nothing is left over. */
const computeFee = (owedMinor: number, feeMinor: number) => (owedMinor > feeMinor ? feeMinor : 0)

/** Senders who are owed something, and the fee of a payout. */
export async function codOwedToSenders(
  deps: Deps,
  { offset, limit }: QueryOf<typeof listCodOwed>,
): Promise<ResponseOf<typeof listCodOwed>> {
  const currency = deps.settings.get('currency')
  const feeMinor = sumLines(payoutCharge(deps))
  const { rows, total, owedMinor } = await listOwedPage(deps.db, currency, { offset, limit })
  const names = await accountNames(
    deps.db,
    rows.map(({ account_id }) => account_id),
  )
  const items = rows.map((row) => ({
    accountId: row.account_id,
    accountName: names.get(row.account_id) ?? '–',
    currency,
    parcelCount: row.parcel_count,
    owedMinor: row.owed_minor,
    withRidersMinor: row.with_riders_minor,
    feeMinor: computeFee(row.owed_minor, feeMinor),
    oldestAt: row.oldest_at.toISOString(),
  }))
  return { items, total, offset, limit, currency, owedMinor, feeMinor }
}

/**
 * Pays these accounts the amounts they are owed, in one transaction. Throws cod_nothing_owed, price_changed
 * (`details.totalMinor`, `details.feesMinor`).
 */
export async function payOut(
  deps: Deps,
  caller: StaffCaller,
  { accountIds, totalSeenMinor, feesSeenMinor }: BodyOf<typeof payOutCod>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof payOutCod>> {
  return tx(deps.db, async (trx) => {
    // Safe: staff pay every account; the ids come from the list that they saw.
    const ids = [...new Set(accountIds)].sort().map(asAccountId)
    const payouts = await payAccounts(deps, trx, ids, { actorId: caller.userId, until: null })
    if (payouts.length < ids.length) throw new AppError('cod_nothing_owed')
    const totalMinor = payouts.reduce((sum, { collected_minor }) => sum + collected_minor, 0)
    const feesMinor = payouts.reduce((sum, { fee_minor }) => sum + fee_minor, 0)
    if (totalMinor !== totalSeenMinor || feesMinor !== feesSeenMinor) {
      throw new AppError('price_changed', {
        details: { expectedTotalMinor: totalSeenMinor, totalMinor, expectedFeesMinor: feesSeenMinor, feesMinor },
      })
    }
    const answer = { items: await presentPayouts(trx, payouts, { staff: true }) }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/** Attempts of a weekly payout: less than four hours. After that it is listed as failed work, and staff get a mail. */
const payoutAttempts = 10

/**
 * The daily job `payments:cod-payout`: on the weekday of the settings, queues a payout for every sender of what was
 * collected up to the scheduled time. A run that is made up for later counts for its own day.
 */
export async function payOutWeekly(deps: Deps, run: ScheduledRun = {}): Promise<void> {
  const { settings, clock } = deps
  const payoutWeekday = settings.get('cod.payoutWeekday')
  const until = getScheduledTime(run, clock.now())
  const day = dayIn(until, settings.get('timezone'))
  if (payoutWeekday === null || getWeekday(day) !== payoutWeekday) return
  await tx(deps.db, async (trx) => {
    for (const accountId of await listOwedAccounts(trx, settings.get('currency'), until)) {
      // Separate jobs: one that fails holds up no other, and staff can retry it after the next daily run.
      const payload = { accountId, until: until.toISOString() }
      await addJob(trx, 'payments:cod-pay-account', payload, { maxAttempts: payoutAttempts })
    }
  })
}

/** The job `payments:cod-pay-account`. A further attempt finds nothing left to pay. */
export async function payOutAccount(deps: Deps, { accountId, until }: Jobs['payments:cod-pay-account']): Promise<void> {
  const options = { actorId: null, until: new Date(until) }
  await tx(deps.db, (trx) => payAccounts(deps, trx, [asAccountId(accountId)], options))
}

/**
 * Moves the amounts that accounts are owed into their wallets, less the fee. `until`: the weekly payout, only of what
 * was collected up to this time, and only if it is more than the fee; null: staff pay everything.
 */
async function payAccounts(
  deps: Deps,
  trx: Tx,
  accountIds: readonly AccountId[],
  { actorId, until }: { actorId: string | null; until: Date | null },
): Promise<PayoutRow[]> {
  const { settings, clock } = deps
  const feeLines = payoutCharge(deps)
  const [currency, fee, at] = [settings.get('currency'), sumLines(feeLines), clock.now()]
  const payouts = accountIds.map((accountId) => ({ accountId, payoutId: newId() }))
  const moreThan = until === null ? 0 : fee
  const claims = await claimOwedForPayout(trx, payouts, { currency, moreThan, until })
  const rows = payouts.flatMap(({ accountId, payoutId }) => {
    const sums = claims.get(accountId)
    if (!sums) return []
    return {
      account_id: accountId,
      id: payoutId,
      currency,
      parcel_count: sums.count,
      collected_minor: sums.minor,
      fee_minor: computeFee(sums.minor, fee),
      created_by: actorId,
      created_at: at,
    }
  })
  if (rows.length === 0) return []
  const newPayouts = await insertPayouts(trx, rows)
  for (const row of newPayouts) {
    await postEntry(deps, trx, {
      kind: 'cod_payout',
      accountId: row.account_id,
      reference: row.number,
      actorId,
      log: null,
      currency,
      postings: [
        { book: 'cod_payable', accountId: row.account_id, amountMinor: -row.collected_minor },
        { book: 'customer_wallet', accountId: row.account_id, amountMinor: row.collected_minor },
      ],
    })
    if (row.fee_minor > 0) await chargeFee(deps, trx, row, feeLines)
    await notifyOwner(deps, trx, row)
  }
  await recordActivity(
    trx,
    ...newPayouts.map((row) => ({
      action: 'cod.payout',
      level: 'NOTICE' as const,
      accountId: row.account_id,
      userId: actorId,
      subject: row.id,
      detail: { number: row.number, collectedMinor: row.collected_minor, feeMinor: row.fee_minor },
      at,
    })),
  )
  return newPayouts
}

/** Takes the fee of a payout from the wallet: an order of the account's owner, with an invoice. */
async function chargeFee(deps: Deps, trx: Tx, payout: PayoutRow, lines: PriceLine[]): Promise<void> {
  const { account_id: accountId, created_by: actorId } = payout
  const owner = await findAccountOwner(trx, accountId)
  if (!owner) throw new Error(`account ${accountId} is paid out and has no owner`)
  const { method, paymentId } = { method: 'express_credit' as const, paymentId: newId() }
  const { order, write } = await planCharge(deps, trx, { accountId, userId: owner.id }, { lines, paymentId, method })
  const payment = buildSettledPayment(deps, order, { id: paymentId, method, actorId })
  const entry = buildOrderEntry(order, payment, 'customer_wallet', 'orders.paid')
  await runWrites(trx, [write, ...(await postWrites(deps, trx, entry)), paymentsWrite([payment])])
  await setFeeOrder(trx, payout, order.id)
}

async function notifyOwner(deps: Deps, trx: Tx, row: PayoutRow): Promise<void> {
  await notify(deps, trx, {
    kind: 'cod_payout',
    to: { owner: row.account_id },
    facts: {
      number: row.number,
      count: row.parcel_count,
      amount: fact.money(row.collected_minor - row.fee_minor, row.currency),
    },
  })
}

/** The total owed to all senders, by the time since its collection. */
export async function readCodOutstanding({ db, settings, clock }: Deps): Promise<CodOutstanding> {
  const row = await sumOutstanding(db, settings.get('currency'), clock.now())
  return {
    parcels: row.parcels,
    owedMinor: row.owed_minor,
    withRidersMinor: row.with_riders_minor,
    days0to7Minor: row.days0to7_minor,
    days8to30Minor: row.days8to30_minor,
    over30Minor: row.over30_minor,
  }
}
