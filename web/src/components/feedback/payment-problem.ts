import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { isDecided } from '../../lib/once.ts'
import { notify } from './notify.tsx'

/**
 * What a payment was to do: take money at once, lead to the bank's page, or book to pay later. Only the first moves
 * any.
 */
type Kind = 'charge' | 'gateway' | 'booking'

/**
 * Tells what a failed payment means for the money. Without an answer it is unknown whether it moved, but a retry is
 * safe because it repeats the request under the same key. Returns false for errors that it does not explain itself.
 */
export function notifyPaymentProblem(error: unknown, kind: Kind): boolean {
  if (!isDecided(error)) {
    notify.warning(t(`paymentProblem.${kind}`))
    return true
  }
  // Paid in another tab: good news, not an error.
  if (error instanceof ApiError && error.code === 'order_closed' && typeof error.details.paidAt === 'string') {
    notify.info(error.message)
    return true
  }
  return false
}
