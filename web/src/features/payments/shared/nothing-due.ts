import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { isCancelled } from '@waybill/contract/ground/status/parcel-status'
import { ApiError } from '../../../lib/api.ts'

/**
 * Why nothing is due for a number: its parcel is paid, or for another reason. Null: the error says something else. The
 * status of an order is unknown here: it could still wait for a payment through the gateway.
 */
export function findNothingDue(error: unknown): 'paid' | 'other' | null {
  if (!(error instanceof ApiError) || error.code !== 'nothing_due') return null
  const status = error.details.status as ParcelStatus | undefined
  return !status || status === 'pending_payment' || isCancelled(status) ? 'other' : 'paid'
}
