import {
  isSlotPast,
  type PickupChoice,
  pickupDays,
  pickupWindows,
  type PickupClock as WallClock,
} from '@waybill/contract/pickups/pickup-choice'
import type { SlotReason } from '../shared/day-choices.ts'

export type PickupSlot = Pick<PickupChoice, 'date' | 'window'>

/** The time of the deployment, and what is known of the slots at an address. */
export type PickupClock = WallClock & {
  /** `day window` of slots that are closed for another reason: holidays, no free rider. */
  closedSlots?: ReadonlyMap<string, 'rest_day' | 'full'>
  /** Visits that are already booked, the earliest first. */
  visits?: readonly PickupSlot[]
  /** The slots of the address are loading, so the slot to propose is not known yet. */
  loading?: boolean
}

/** Why a slot is closed; null if it is open. The server checks the same rule again. */
export function slotReason(slot: PickupSlot, clock: PickupClock): SlotReason {
  return clock.closedSlots?.get(`${slot.date} ${slot.window}`) ?? (isSlotPast(slot, clock) ? 'past' : null)
}

/** Whether a slot is still open. */
export const isOpen = (slot: PickupSlot, clock: PickupClock): boolean => slotReason(slot, clock) === null

/** The booked visits on the selectable days that can be joined. */
export function listVisits(clock: PickupClock): PickupSlot[] {
  const days = pickupDays(clock.today)
  return (clock.visits ?? []).filter((visit) => days.includes(visit.date) && isOpen(visit, clock))
}

/** Whether a visit is booked for this slot, which makes the pickup free. */
export function isVisited({ date, window }: PickupSlot, { visits = [] }: PickupClock): boolean {
  return visits.some((visit) => visit.date === date && visit.window === window)
}

/** The slot to propose: the first booked visit, because it is free, else the first open slot. */
export function firstSlot(clock: PickupClock): PickupSlot {
  const slots = pickupDays(clock.today).flatMap((date) => pickupWindows.map((window) => ({ date, window })))
  const [visit] = listVisits(clock)
  return visit ?? slots.find((slot) => isOpen(slot, clock)) ?? { date: clock.today, window: pickupWindows[0] }
}

/** The slot if it is open, else the first of its day, else the first of all. */
export function openSlot(slot: PickupSlot | null, clock: PickupClock): PickupSlot {
  if (!slot) return firstSlot(clock)
  if (isOpen(slot, clock)) return slot
  const sameDay = pickupWindows.map((window) => ({ date: slot.date, window })).find((slot) => isOpen(slot, clock))
  return sameDay ?? firstSlot(clock)
}
