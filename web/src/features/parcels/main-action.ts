import { handoverStatuses, isEnded } from '@waybill/contract/ground/status/parcel-status'
import type { ParcelAction, ParcelDetail } from '@waybill/contract/parcels/parcels'

/** The main action of a parcel's page. */
export type MainAction = Extract<ParcelAction, 'add_to_cart' | 'edit' | 'checkout' | 'print_note' | 'repeat'> | 'share'

type State = Pick<ParcelDetail, 'status' | 'trackingNumber' | 'amountDueMinor' | 'allowedActions'>

/**
 * The action that fits the state: a delivered parcel offers shipping again, not printing. Null if another part of the
 * page has the button: an amount to pay, a payment in progress, the choice after a failed delivery. A lost parcel asks
 * for a message or a claim, not for another parcel.
 */
export function findMainAction({ status, trackingNumber, amountDueMinor, allowedActions }: State): MainAction | null {
  const may = (action: ParcelAction) => allowedActions.includes(action)
  if (may('pay_outstanding') || may('choose_delivery') || status === 'pending_payment') return null
  if (status === 'incart') return may('checkout') ? 'checkout' : null
  if (may('add_to_cart')) return 'add_to_cart'
  if (status === 'pending') return may('edit') ? 'edit' : null
  if (handoverStatuses.includes(status) && may('print_note')) return 'print_note'
  if (status === 'lost') return null
  if (isEnded(status)) return may('repeat') ? 'repeat' : null
  return trackingNumber === null || amountDueMinor > 0 ? null : 'share'
}
