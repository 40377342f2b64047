import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { isDecided } from '../../lib/once.ts'
import { notify } from './notify.tsx'

/** What a payment does: take money at once, open the bank's page, or book to pay later. Only the first moves money. */
type Kind = 'charge' | 'gateway' | 'booking'

/**
 * Explains what a failed payment means for the money. Without a response it is unknown whether it moved, but a retry
 * is safe because it repeats the request with the same idempotency key. Returns false for errors that it does not
 * explain.
 */
export function notifyPaymentProblem(error: unknown, kind: Kind): boolean {
  if (!isDecided(error)) {
    notify.warning(t(`paymentProblem.${kind}`))
    return true
  }
  // Paid, billed or booked in another tab: not an error.
  if (error instanceof ApiError && error.code === 'order_closed' && error.details.accepted === true) {
    notify.info(error.message)
    return true
  }
  return false
}
