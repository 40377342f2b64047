import { useNavigate } from '@tanstack/react-router'
import { abandonCheckouts } from '@waybill/contract/orders/checkout'
import { getOrder } from '@waybill/contract/orders/orders'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { notifyPaymentProblem } from '../../../components/feedback/payment-problem.ts'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'
import { changedByCheckout } from '../../parcels/shared/changed-by-checkout.ts'

/**
 * Explains what a failed payment of an order means for the money, for `onError`. A payment whose response was lost may
 * have succeeded, so the order is looked up before the warning. Returns false for errors that it does not explain.
 */
export function useExplainProblem(orderId: string) {
  const refresh = useRefresh()
  const offerOtherTime = useOtherTime(orderId)
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
    if (offerOtherTime(error)) return true
    const isExplained = notifyPaymentProblem(error, kind)
    if (isExplained) void refresh(getWallet, getOrder)
    return isExplained
  }
}

/**
 * For `onError` of a payment: if the rider can no longer come at the chosen time, offers to put the parcels back in the
 * cart, where another time can be chosen. Returns false for other errors.
 */
export function useOtherTime(orderId: string) {
  const t = useT()
  const navigate = useNavigate()
  const giveUp = useSend((_message: string) => call(abandonCheckouts, { query: { ids: orderId } }), {
    confirm: (message) => ({ title: t('checkout.otherTimeTitle'), message, action: t('checkout.otherTime') }),
    refresh: changedByCheckout,
    onSuccess: () => navigate({ to: '/cart' }),
  })
  return (error: unknown): boolean => {
    if (!(error instanceof ApiError) || (error.code !== 'pickup_missed' && error.code !== 'pickup_full')) return false
    void giveUp.send(error.message)
    return true
  }
}
