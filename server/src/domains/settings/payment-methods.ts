/** Which payment methods a caller may use. */
import { type Caller, decide } from '@waybill/contract/ground/access'
import { type PaymentMethod, paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'

export type MethodState = { method: PaymentMethod; open: boolean; reason: string | null }

/** Why all methods are closed to a caller: a key under `paymentClosed.` in the locale files. */
function whyClosed(caller: Caller): string | null {
  if (caller.kind === 'staff') return 'customers_only'
  switch (decide('pay', caller)) {
    case 'pass':
      return null
    case 'sign_in':
      return 'sign_in'
    case 'suspended':
      return 'suspended'
    case 'forbidden':
      return 'no_permission'
  }
}

/**
 * The payment methods and why some are closed, as far as it depends on the caller. Conditions of the order (walk-in
 * only, balance, credit limit, credit terms) are checked when the order is paid.
 */
export function paymentMethodsFor(caller: Caller): MethodState[] {
  const closed = whyClosed(caller)
  return labelValues(paymentMethodLabels).map((method) => {
    const corporateOnly = method === 'monthly_billing' && caller.kind === 'customer' && caller.userType !== 'corporate'
    const reason = closed ?? (corporateOnly ? 'corporate_only' : null)
    return { method, open: reason === null, reason }
  })
}
