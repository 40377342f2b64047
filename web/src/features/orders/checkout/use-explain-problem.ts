import { getOrder } from '@waybill/contract/orders/orders'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { notifyPaymentProblem } from '../../../components/feedback/payment-problem.ts'
import { call } from '../../../lib/api.ts'
import { isDecided } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'

/**
 * Explains what a failed payment of an order means for the money, for `onError`. A payment whose response was lost may
 * have succeeded, so the order is looked up before the warning. Returns false for errors that it does not explain.
 */
export function useExplainProblem(orderId: string) {
  const refresh = useRefresh()
  async function explainLoss(error: unknown, kind: 'charge' | 'booking') {
    const isAccepted = await call(getOrder, { params: { id: orderId } }).then(
      ({ status }) => status !== 'pending_payment',
      () => false,
    )
    if (!isAccepted) notifyPaymentProblem(error, kind)
    void refresh(getWallet, getOrder)
  }
  return (error: unknown, kind: 'charge' | 'booking'): boolean => {
    if (!isDecided(error)) {
      void explainLoss(error, kind)
      return true
    }
    const isExplained = notifyPaymentProblem(error, kind)
    if (isExplained) void refresh(getWallet, getOrder)
    return isExplained
  }
}
