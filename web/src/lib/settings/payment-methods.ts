import { paymentMethodLabels } from '@waybill/contract/ground/enums'
import { useChoices } from '../labels.ts'
import { useSession } from '../session.ts'

/**
 * The payment methods that this user can have paid with, as choices of a filter: monthly billing is for companies. What
 * an order can be paid with comes with the order, because it depends on its parcels and on the credit limit.
 */
export function usePaymentMethods() {
  const states = useSession(({ setting }) => setting.options?.paymentMethods)
  const closed = states?.flatMap(({ method, reason }) => (reason === 'corporate_only' ? [method] : [])) ?? []
  return useChoices()(paymentMethodLabels).filter(({ value }) => !closed.includes(value))
}
