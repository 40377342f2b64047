import type { Scope } from '@waybill/contract/ground/enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import { nextParcelState, type ParcelState } from './status.ts'

/** What a refusal must know of a parcel: its state, and when it came to it. */
export type Acted = ParcelState & { since: Date | null; scope: Scope }

/** How long a delivered parcel can be sent back, and what time it is. */
export type ReturnWindow = { now: Date; days: number }

const aDay = 86_400_000

/**
 * The end of the window in which a delivered parcel can be sent back; null where it was not delivered to its receiver.
 */
export function returnableUntil({ status, leg, since }: Acted, { days }: Pick<ReturnWindow, 'days'>): Date | null {
  const delivered = (status === 'completed' || status === 'collected') && leg === 'outbound'
  return delivered && since ? new Date(since.getTime() + days * aDay) : null
}

/** Why a parcel can't be cancelled now; null when it can. */
export function whyNotCancelled(parcel: Acted): ErrorCode | null {
  if (nextParcelState(parcel, 'cancelled')) return null
  return parcel.handedOver ? 'cancel_after_hand_over' : 'transition_forbidden'
}

/** Why a parcel can't be called back now; null when it can. What is on its way back already comes by itself. */
export function whyNotRecalled(parcel: Acted): ErrorCode | null {
  if (parcel.status === 'delivering') return 'recall_while_delivering'
  return parcel.leg === 'outbound' && nextParcelState(parcel, 'recalled') ? null : 'transition_forbidden'
}

/** Why a parcel can't be sent back now; null when it can. */
export function whyNotReturned(parcel: Acted, window: ReturnWindow): ErrorCode | null {
  if (!nextParcelState(parcel, 'return_requested')) return 'transition_forbidden'
  // Our riders fetch at home only.
  if (parcel.scope === 'international') return 'not_covered'
  const until = returnableUntil(parcel, window)
  return until && until > window.now ? null : 'return_window_over'
}
