// Why a parcel cannot be cancelled, recalled or returned. Pure.

import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import { isDelivered } from '@waybill/contract/ground/status/parcel-status'
import { nextParcelState, type ParcelState } from './status.ts'

/** A parcel's status, when it got it, and whether another carrier has it. */
export type ActionFacts = ParcelState & { since: Date | null; scope: Scope; withOtherCarrier: boolean }

/** The current time, and how many days after its delivery a parcel can be returned. */
export type ReturnWindow = { now: Date; days: number }

const aDay = 86_400_000

/** Until when a delivered parcel can be returned; null if it was not delivered to its receiver. */
export function returnableUntil(
  { status, leg, since }: ActionFacts,
  { days }: Pick<ReturnWindow, 'days'>,
): Date | null {
  const delivered = isDelivered(status) && leg === 'outbound'
  return delivered && since ? new Date(since.getTime() + days * aDay) : null
}

/** Why a parcel cannot be cancelled now; null if it can. */
export function whyNotCancelled(parcel: ActionFacts): ErrorCode | null {
  if (nextParcelState(parcel, 'cancelled')) return null
  if (parcel.withOtherCarrier) return 'carrier_has_parcel'
  return parcel.handedOver ? 'cancel_after_hand_over' : 'transition_forbidden'
}

/** Why a parcel cannot be recalled now; null if it can. */
export function whyNotRecalled(parcel: ActionFacts): ErrorCode | null {
  if (parcel.withOtherCarrier) return 'carrier_has_parcel'
  if (parcel.status === 'delivering') return 'recall_while_delivering'
  return parcel.leg === 'outbound' && nextParcelState(parcel, 'recalled') ? null : 'transition_forbidden'
}

/** Why a parcel cannot be returned now; null if it can. */
export function whyNotReturned(parcel: ActionFacts, window: ReturnWindow): ErrorCode | null {
  if (!nextParcelState(parcel, 'return_requested')) return 'transition_forbidden'
  // Riders pick up returns within the country only.
  if (parcel.scope === 'international') return 'not_covered'
  const until = returnableUntil(parcel, window)
  return until && until > window.now ? null : 'return_window_over'
}
