/** The amounts due of an account: store orders and weight differences, and their payment with credits. */
import { decide } from '@waybill/contract/ground/access'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Translate } from '@waybill/contract/ground/validation'
import type { listOutstanding, payOutstanding } from '@waybill/contract/parcels/outstanding'
import type { Payment } from '@waybill/contract/payments/payments'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { requireSpending } from '../../orders/approvals/reads.ts'
import { readBilling } from '../../orders/monthly-billing/service.ts'
import { orderNumbers } from '../../orders/pay-at-counter/service.ts'
import { readOutstandingPage } from '../../parcels/weighing/outstanding.ts'
import { withBalance } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import { withPin } from '../../wallet/service.ts'
import { presentPayment } from '../present.ts'
import { lockSeenOutstanding, type SettledBy, settleOutstanding, sumDifferences } from './settle-outstanding.ts'

type OutstandingPage = ResponseOf<typeof listOutstanding>

/** The account's parcels with an amount due. */
export async function readOutstanding(
  deps: Deps,
  caller: CustomerCaller,
  { offset, limit }: QueryOf<typeof listOutstanding>,
): Promise<Omit<OutstandingPage, 'billing'>> {
  const page = await readOutstandingPage(deps, caller, { offset, limit })
  const ids = [...new Set(page.items.flatMap(({ orderId }) => orderId ?? []))]
  const numbers = await orderNumbers(deps.db, caller.accountId, ids)
  const items = page.items.map((item) => ({ ...item, orderNumber: numbers.get(item.orderId ?? '') ?? null }))
  return { ...page, items, offset, limit, currency: deps.settings.get('currency') }
}

/** The account's parcels with an amount due, and whether the caller can have them billed monthly. */
export async function readOutstandingWithBilling(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof listOutstanding>,
): Promise<OutstandingPage> {
  const page = await readOutstanding(deps, caller, query)
  const mayBill = caller.userType === 'corporate' && decide('pay', caller) === 'pass'
  if (!mayBill || page.items.length === 0) return { ...page, billing: null }
  const { closed, availableMinor, memberLeftMinor } = await readBilling(deps, caller)
  return { ...page, billing: { closed, availableMinor, memberLeftMinor } }
}

/**
 * Pays amounts due with credits, all or none. Throws what `withPin` and `lockSeenOutstanding` throw, wallet_too_low.
 */
export async function payDue(
  deps: Deps,
  caller: CustomerCaller,
  { pin, ...choice }: BodyOf<typeof payOutstanding>,
  t: Translate,
  idempotency: Idempotency,
): Promise<Payment> {
  const { accountId, userId } = caller
  const needed = { accountId, amountMinor: choice.totalSeenMinor, currency: deps.settings.get('currency') }
  const pay = (proof: PinCheck | null) =>
    tx(deps.db, async (trx) => {
      const outstanding = await lockSeenOutstanding(trx, caller, choice)
      // Pay-at-counter orders were approved when they were placed; only differences are new spending.
      await requireSpending(deps, trx, caller, sumDifferences(outstanding))
      const from = { book: 'customer_wallet' as const, accountId }
      const log = 'orders.due_paid'
      const by: SettledBy = { method: 'express_credit', from, actorId: userId, pin: proof, log }
      const answer = presentPayment(await settleOutstanding(deps, trx, accountId, outstanding, by), t)
      await idempotency.keep(trx, answer)
      return answer
    })
  // What became free after a parcel was cancelled is released without a PIN.
  if (choice.totalSeenMinor === 0) return pay(null)
  if (pin === undefined) throw validationError({ field: 'pin', rule: 'required' })
  return withPin(deps, accountId, pin, (proof) => withBalance(deps, needed, () => pay(proof)))
}
