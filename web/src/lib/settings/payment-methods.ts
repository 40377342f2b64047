import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { useChoices } from '../labels.ts'
import { useSession } from '../session.ts'

/**
 * The payment methods that this user may have used, as choices of a filter: monthly billing is for companies. The
 * methods for a given order come with the order, because they depend on its parcels and on the credit limit.
 */
export function usePaymentMethods() {
  const states = useSession(({ setting }) => setting.options?.paymentMethods)
  const closed = states?.flatMap(({ method, reason }) => (reason === 'corporate_only' ? [method] : [])) ?? []
  return useChoices()(paymentMethodLabels).filter(({ value }) => !closed.includes(value))
}
