/** Messages of the gateway that contradict our books, for staff: expected and reported values, and the review. */

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { lookup } from '@waybill/contract/ground/enums/labels'
import {
  type GatewayTrouble,
  gatewayRefusals,
  gatewayTabs,
  type listGatewayTroubles,
  type reviewGatewayTrouble,
} from '@waybill/contract/payments/gateway'
import { recordActivity } from '../../../activity.ts'
import { readKeysetPage } from '../../../db/keyset.ts'
import { countTabs } from '../../../db/page.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { accountNames, findStaffNames } from '../../accounts/service.ts'
import { orderNumbers } from '../../orders/pay-at-counter/service.ts'
import type { PaymentRow } from '../queries.ts'
import { parseGatewayPost } from './ipay88.ts'
import { countTroubles, findPayments, listTroubleRows, lockTrouble, type TroubleRow, writeReview } from './queries.ts'

const verdicts: Record<string, NonNullable<GatewayTrouble['came']['verdict']>> = {
  '1': 'paid',
  '0': 'not_paid',
  '6': 'not_known',
}

/** The part of a message that staff need: no signature, no data of the payer's card. */
function getOrigin({ source, payload }: TroubleRow): GatewayTrouble['came'] {
  const clip = (text: string) => (text === '' ? null : text.slice(0, 200))
  if (source === 'enquiry') {
    return {
      verdict: null,
      amount: null,
      currency: null,
      reference: null,
      transactionId: clip(payload.TransId ?? ''),
      text: clip(payload.text ?? ''),
    }
  }
  const { status, amount, currency, reference, transactionId, errorText } = parseGatewayPost(payload)
  return {
    verdict: lookup(verdicts, status) ?? null,
    amount: clip(amount),
    currency: clip(currency),
    reference: clip(reference),
    transactionId: clip(transactionId),
    text: clip(errorText),
  }
}

/** Order numbers of payments, by order id. */
async function numbersFor(db: DbOrTx, payments: Iterable<PaymentRow>): Promise<Map<string, string>> {
  const byAccount = Map.groupBy([...payments], ({ account_id }) => account_id)
  const numberMaps = await Promise.all(
    [...byAccount].map(([accountId, of]) =>
      orderNumbers(
        db,
        accountId,
        of.flatMap(({ order_id }) => order_id ?? []),
      ),
    ),
  )
  return new Map(numberMaps.flatMap((numbers) => [...numbers]))
}

async function presentTroubles(db: DbOrTx, rows: readonly TroubleRow[]): Promise<GatewayTrouble[]> {
  const payments = await findPayments(
    db,
    rows.flatMap(({ payment_id }) => payment_id ?? []),
  )
  const accountIds = [...new Set([...payments.values()].map(({ account_id }) => account_id))]
  const [accounts, numbers, people] = await Promise.all([
    accountNames(db, accountIds),
    numbersFor(db, payments.values()),
    findStaffNames(
      db,
      rows.flatMap(({ reviewed_by }) => reviewed_by ?? []),
    ),
  ])
  return rows.map((row) => {
    const payment = payments.get(row.payment_id ?? '')
    return {
      id: row.id,
      at: row.at.toISOString(),
      trouble: row.trouble,
      refusal: gatewayRefusals.find((reason) => row.trouble === 'refused' && reason === row.reason) ?? null,
      source: row.source,
      came: getOrigin(row),
      expected: payment
        ? {
            paymentId: payment.id,
            reference: payment.reference,
            amountMinor: payment.amount_minor,
            currency: payment.currency,
            status: payment.status,
            method: payment.method,
            orderId: payment.order_id,
            orderNumber: numbers.get(payment.order_id ?? '') ?? null,
            accountId: payment.account_id,
            accountName: accounts.get(payment.account_id) ?? '',
            createdAt: payment.created_at.toISOString(),
          }
        : null,
      review: row.review,
      reviewNote: row.review_note,
      reviewedBy: people.get(row.reviewed_by ?? '') ?? null,
      reviewedAt: row.reviewed_at?.toISOString() ?? null,
      version: row.version,
    }
  })
}

/** Messages that were refused or contradict our payment, newest first. Throws validation for an invalid cursor. */
export async function readGatewayTroubles(
  deps: Deps,
  query: QueryOf<typeof listGatewayTroubles>,
): Promise<ResponseOf<typeof listGatewayTroubles>> {
  const { db } = deps
  const filter = { tab: query.tab, search: query.search || null }
  const [{ rows, next, previous }, counts] = await Promise.all([
    readKeysetPage(query, (from) => listTroubleRows(db, filter, from)),
    countTabs(gatewayTabs, (tab) => countTroubles(db, { ...filter, tab })),
  ])
  const items = await presentTroubles(db, rows)
  return { items, total: counts[query.tab], limit: query.limit, next, previous, counts }
}

/** Marks a message as seen, handled, or neither. Throws not_found, version_conflict. */
export async function reviewTrouble(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, review: state, note }: BodyOf<typeof reviewGatewayTrouble>,
): Promise<GatewayTrouble> {
  const row = await tx(deps.db, async (trx) => {
    const before = await lockTrouble(trx, id)
    if (!before) throw new AppError('not_found')
    if (before.version !== version) throw new AppError('version_conflict')
    const at = deps.clock.now()
    const payment = (await findPayments(trx, before.payment_id ? [before.payment_id] : [])).get(before.payment_id ?? '')
    await recordActivity(trx, {
      action: 'payments.gateway_review',
      level: 'NOTICE',
      userId: caller.userId,
      subject: id,
      detail: { from: before.review, to: state, note, reference: payment?.reference ?? null },
      at,
    })
    return writeReview(trx, id, { review: state, note, by: caller.userId, at })
  })
  const [trouble] = await presentTroubles(deps.db, [row])
  return trouble as GatewayTrouble
}
