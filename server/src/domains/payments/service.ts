import type { Payment } from '@waybill/contract/payments'
import type { Translate } from '@waybill/contract/validation'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { asAccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { accountTopic } from '../../http/live.ts'
import type { OutboxHandler } from '../../outbox.ts'
import { visibleBy } from '../parcels/service.ts'
import { walletBalances } from '../wallet/service.ts'
import { askGateway } from './gateway-answers.ts'
import { presentPayment } from './present.ts'
import { findPayment, findPaymentOf, takeTurnToAsk } from './queries.ts'
import { askPauseSeconds, pollTimeoutMs } from './rules.ts'

export { approveAndBill } from './approvals.ts'
export { actionsFor, recallForFee, returnForFee } from './charges.ts'
export {
  bookCollected,
  codOf,
  codOwedToSenders,
  payOut,
  payOutWeekly,
  payoutsOf,
} from './cod.ts'
export { printedPayout } from './cod-report.ts'
export { payByBilling } from './corporate.ts'
export { dueFor, sell } from './counter.ts'
export { invoiceOfSale, printedReceipt, printReceipt } from './counter-receipt.ts'
export { payByCredits } from './credits.ts'
export { chooseForFee } from './delivery-fee.ts'
export { closeTill, drawerNow, enterMovement, movementsIn, openTill, stationOf } from './drawer.ts'
export { closes, printedClose } from './drawer-report.ts'
export { takeAnswer } from './gateway-answers.ts'
export { review, troublesOf } from './gateway-reviews.ts'
export { payByGateway, startTopUp } from './gateway-start.ts'
export { checkPayment, expirePayment } from './jobs.ts'
export { outstandingOf, payDue } from './outstanding.ts'
export { hurryPayments } from './refunds.ts'

/** What the return page polls. While it is pending the gateway is asked, with growing pauses. Throws not_found, also for another customer's. */
export async function paymentOf(deps: Deps, caller: CustomerCaller, id: string, t: Translate): Promise<Payment> {
  const row = await findPaymentOf(deps.db, caller.accountId, id, visibleBy(caller))
  if (!row) throw new AppError('not_found')
  if (row.status !== 'pending') return presentPayment(row, t)
  if (!(await takeTurnToAsk(deps.db, id, deps.clock.now(), askPauseSeconds))) return presentPayment(row, t)
  const asked = await askGateway(deps, row, pollTimeoutMs)
  return presentPayment(asked === 'settled' ? ((await findPayment(deps.db, id)) ?? row) : row, t)
}

/** Tells the accounts' open screens that payments are settled. */
export const tellPayments: OutboxHandler<'payment.settled'> = async (deps, trx, settled) => {
  const messages = settled.map(({ accountId, paymentId, status }) => ({
    topic: accountTopic(accountId),
    data: { type: 'payment', id: paymentId, status },
  }))
  await deps.live.publishAll(trx, messages)
}

/** Tells the accounts' open screens their new balances. */
export const tellBalances: OutboxHandler<'wallet.moved'> = async (deps, trx, moved) => {
  const accountIds = [...new Set(moved.map(({ accountId }) => asAccountId(accountId)))] // told by the postings themselves
  const balances = await walletBalances(trx, accountIds, deps.settings.get('currency'))
  const messages = [...balances].map(([accountId, balanceMinor]) => ({
    topic: accountTopic(accountId),
    data: { type: 'wallet', balanceMinor },
  }))
  await deps.live.publishAll(trx, messages)
}
