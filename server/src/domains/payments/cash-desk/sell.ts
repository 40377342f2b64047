/** Sales at the counter: what is due for a scanned number, and its payment in cash. */

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import type { CashDue, findCashDue, takeCash } from '@waybill/contract/payments/cash-desk'
import { roundToCash } from '@waybill/contract/payments/coins'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { accountNames } from '../../accounts/service.ts'
import { listDueParcels, orderNumbers } from '../../orders/pay-at-counter/service.ts'
import { findOrderByNumber } from '../../orders/service.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { getParcelForCounter } from '../../parcels/weighing/outstanding.ts'
import { postEntry } from '../../wallet/ledger/service.ts'
import { lockOutstanding, settleOutstanding } from '../outstanding/settle-outstanding.ts'
import type { PaymentRow } from '../queries.ts'
import { lockOpenShift, requireCashCurrency, requireStation } from './drawer.ts'
import { insertMovement, type ShiftRow } from './queries.ts'
import { receiptNumber } from './receipt.ts'

type Sale = ResponseOf<typeof takeCash>

/** The parcels of a scanned number, which are paid together. */
type DueItem = { accountId: AccountId; orderNumber: string | null; parcels: ParcelRow[] }

/**
 * Finds what a scanned number pays for. An order, or a parcel awaiting payment, means the whole order; a parcel held
 * for a difference is paid on its own. Throws parcel_unknown, tracking_number_slip, order_unknown, nothing_due.
 */
async function findDue(deps: Deps, db: DbOrTx, code: string): Promise<DueItem> {
  const text = toStoredNumber(code)
  if (text.startsWith('ORD-')) {
    const order = await findOrderByNumber(db, text)
    if (!order) throw new AppError('order_unknown')
    return getOrderDue(db, order)
  }
  const parcel = await getParcelForCounter(deps, db, text)
  if (parcel.status !== 'outstanding')
    throw new AppError('nothing_due', { details: { parcelId: parcel.id, status: parcel.status } })
  // Safe: staff serve every account, and the id comes from the parcel itself.
  const accountId = asAccountId(parcel.account_id)
  const numbers = await orderNumbers(db, accountId, parcel.order_id ? [parcel.order_id] : [])
  const orderNumber = numbers.get(parcel.order_id ?? '') ?? null
  if (parcel.handed_over || !parcel.order_id) return { accountId, orderNumber, parcels: [parcel] }
  return getOrderDue(db, { id: parcel.order_id, number: orderNumber ?? '', accountId })
}

async function getOrderDue(db: DbOrTx, order: { id: string; number: string; accountId: AccountId }): Promise<DueItem> {
  const parcels = await listDueParcels(db, order.id)
  if (parcels.length === 0) throw new AppError('nothing_due')
  return { accountId: order.accountId, orderNumber: order.number, parcels }
}

/** What is due for a scanned number. Throws what `findDue` throws. */
export async function getDue(deps: Deps, { code }: QueryOf<typeof findCashDue>): Promise<CashDue> {
  const { accountId, orderNumber, parcels } = await findDue(deps, deps.db, code)
  const currency = deps.settings.get('currency')
  const names = await accountNames(deps.db, [accountId])
  const totalMinor = parcels.reduce((sum, { amount_due_minor }) => sum + amount_due_minor, 0)
  return {
    accountName: names.get(accountId) ?? '–',
    kind: parcels[0]?.handed_over ? 'reweighed' : 'store',
    orderNumber,
    parcels: parcels.map((row) => ({
      parcelId: row.id,
      trackingNumber: row.tracking_number,
      receiver: [row.receiver?.contactName, row.receiver?.city].filter(Boolean).join(' · ') || null,
      amountDueMinor: row.amount_due_minor,
    })),
    totalMinor,
    cashMinor: roundToCash(totalMinor, currency),
    currency,
  }
}

/**
 * Takes cash for a scanned number in one transaction. The drawer is locked first, then orders and parcels; a second
 * sale of the same amount gets a 409. Throws the errors of `lockOpenShift` and `sellFromDrawer`.
 */
export async function sell(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof takeCash>,
  idempotency: Idempotency,
): Promise<Sale> {
  return tx(deps.db, async (trx) => {
    const drawer = await lockOpenShift(deps, trx, caller, body.drawerNumber)
    const answer = await sellFromDrawer(deps, trx, caller, drawer, body)
    await idempotency.keep(trx, answer)
    return answer
  })
}

/**
 * A sale into a locked drawer. Cash is rounded to the nearest coin, and the rounding is booked. Throws the errors of
 * `findDue` and `lockOutstanding`, validation (`currency`), price_changed, cash_short.
 */
export async function sellFromDrawer(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  drawer: ShiftRow,
  { code, totalSeenMinor, givenMinor, currency }: Omit<BodyOf<typeof takeCash>, 'drawerNumber'>,
): Promise<Sale> {
  requireCashCurrency(deps, currency)
  const stationId = requireStation(caller)
  const { accountId, orderNumber, parcels } = await findDue(deps, trx, code)
  const outstanding = await lockOutstanding(
    trx,
    accountId,
    parcels.map(({ id }) => id),
  )
  const { totalMinor } = outstanding
  const cashMinor = requireEnoughCash({ totalMinor, totalSeenMinor, givenMinor, currency })
  const payment = await settleOutstanding(deps, trx, accountId, outstanding, {
    method: 'store',
    from: { book: 'station_cash', stationId },
    actorId: caller.userId,
    stationId,
    log: null,
  })
  const numbers = await orderNumbers(trx, accountId, payment.order_id ? [payment.order_id] : [])
  const paidNumber = numbers.get(payment.order_id ?? '') ?? orderNumber
  await bookRounding(deps, trx, caller, payment, { stationId, reference: paidNumber, minor: cashMinor - totalMinor })
  const movement = await insertMovement(trx, {
    drawer_id: drawer.id,
    id: newId(),
    kind: 'sale',
    amount_minor: cashMinor,
    reference: paidNumber,
    reason: null,
    given_minor: givenMinor,
    account_id: accountId,
    order_id: payment.order_id,
    payment_id: payment.id,
    receipt_number: await receiptNumber(trx, drawer),
    created_by: caller.userId,
    created_at: deps.clock.now(),
  })
  await recordActivity(trx, {
    action: 'cash.sale',
    level: 'NOTICE',
    accountId,
    userId: caller.userId,
    subject: movement.id,
    detail: { order: paidNumber, totalMinor, cashMinor, givenMinor, drawerId: drawer.id },
    at: deps.clock.now(),
  })
  return {
    movementId: movement.id,
    paymentId: payment.id,
    orderNumber: paidNumber,
    totalMinor,
    cashMinor,
    givenMinor,
    changeMinor: givenMinor - cashMinor,
    currency,
    parcels: outstanding.rows.flatMap(({ tracking_number }) => tracking_number ?? []),
  }
}

/** The amount to take in coins. Throws price_changed, cash_short. */
function requireEnoughCash({
  totalMinor,
  totalSeenMinor,
  givenMinor,
  currency,
}: Pick<BodyOf<typeof takeCash>, 'totalSeenMinor' | 'givenMinor' | 'currency'> & { totalMinor: number }): number {
  if (totalMinor !== totalSeenMinor) {
    throw new AppError('price_changed', { details: { expectedTotalMinor: totalSeenMinor, totalMinor } })
  }
  const cashMinor = roundToCash(totalMinor, currency)
  if (givenMinor < cashMinor) {
    throw new AppError('cash_short', {
      fields: [{ field: 'givenMinor', rule: 'cashShort' }],
      details: { cashMinor, givenMinor },
    })
  }
  return cashMinor
}

/** Books what rounding to coins added to the drawer, or took from it. */
async function bookRounding(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  payment: PaymentRow,
  { stationId, reference, minor }: { stationId: string; reference: string | null; minor: number },
): Promise<void> {
  if (minor === 0) return
  await postEntry(deps, trx, {
    kind: 'adjustment',
    accountId: payment.account_id,
    orderId: payment.order_id,
    paymentId: payment.id,
    reference,
    actorId: caller.userId,
    log: null,
    currency: payment.currency,
    postings: [
      { book: 'station_cash', stationId, amountMinor: -minor },
      { book: 'cash_rounding', amountMinor: minor },
    ],
  })
}
