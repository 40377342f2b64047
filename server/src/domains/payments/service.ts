/** Payments, for the return page and for live events. */
import type { Translate } from '@waybill/contract/ground/validation'
import type { Payment } from '@waybill/contract/payments/payments'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { asAccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { accountTopic } from '../../http/live.ts'
import type { OutboxHandler } from '../../outbox/handler.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { getWalletBalances } from '../wallet/ledger/service.ts'
import { checkGateway } from './gateway/answers.ts'
import { presentPayment } from './present.ts'
import { claimGatewayCheck, findAccountPayment, findPayment } from './queries.ts'
import { askPauseSeconds, pollTimeoutMs } from './rules.ts'

/**
 * A payment, polled by the return page. While it is pending the gateway is queried, with growing pauses. Throws
 * not_found, also for another customer's.
 */
export async function readPayment(deps: Deps, caller: CustomerCaller, id: string, t: Translate): Promise<Payment> {
  const row = await findAccountPayment(deps.db, caller.accountId, id, onlyCreatedBy(caller))
  if (!row) throw new AppError('not_found')
  // Querying the gateway may settle the payment, but staff who only view the account must not change anything.
  if (row.status !== 'pending' || caller.viewer) return presentPayment(row, t)
  if (!(await claimGatewayCheck(deps.db, id, deps.clock.now(), askPauseSeconds))) return presentPayment(row, t)
  const gatewayCheck = await checkGateway(deps, row, pollTimeoutMs)
  return presentPayment(gatewayCheck === 'settled' ? ((await findPayment(deps.db, id)) ?? row) : row, t)
}

/** Notifies open screens of settled payments. */
export const notifyPaymentsSettled: OutboxHandler<'payment.settled'> = async (deps, trx, settlements) => {
  const messages = settlements.map(({ accountId, paymentId, status }) => ({
    topic: accountTopic(accountId),
    data: { type: 'payment', id: paymentId, status },
  }))
  await deps.live.publishAll(trx, messages)
}

/** Notifies open screens of new balances. */
export const notifyBalances: OutboxHandler<'wallet.moved'> = async (deps, trx, movements) => {
  // Safe: the postings themselves wrote the event.
  const accountIds = [...new Set(movements.map(({ accountId }) => asAccountId(accountId)))]
  const balances = await getWalletBalances(trx, accountIds, deps.settings.get('currency'))
  const messages = [...balances].map(([accountId, balanceMinor]) => ({
    topic: accountTopic(accountId),
    data: { type: 'wallet', balanceMinor },
  }))
  await deps.live.publishAll(trx, messages)
}
