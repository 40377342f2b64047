import { listDays } from '@waybill/contract/ground/days'
import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import type { SlotReason } from '../shared/day-choices.ts'

export type PickupSlot = { date: string; window: (typeof pickupWindows)[number] }

/**
 * The time of the deployment: day `YYYY-MM-DD`, time `HH:mm`. `cutOff` is the last time for a pickup on the same day.
 */
export type PickupClock = {
  today: string
  time: string
  cutOff: string | null
  /** `day window` of slots that are closed for another reason: holidays, no free rider. */
  closedSlots?: ReadonlyMap<string, 'rest_day' | 'full'>
  /** `day window` of visits that are already booked. */
  visits?: ReadonlySet<string>
}

const daysAhead = 6

/** The selectable days, today first. */
export const pickupDays = (today: string): string[] => listDays(today, daysAhead)

/** Why a slot is closed; null if it is open. The server checks the same rule again. */
export function slotReason({ date, window }: PickupSlot, clock: PickupClock): SlotReason {
  const { today, time, cutOff } = clock
  const other = clock.closedSlots?.get(`${date} ${window}`)
  if (other) return other
  if (date !== today) return date > today ? null : 'past'
  return (window.split('-')[0] ?? '') > time && (cutOff === null || cutOff > time) ? null : 'past'
}

/** Whether a slot is still open. */
export const isOpen = (slot: PickupSlot, clock: PickupClock): boolean => slotReason(slot, clock) === null

/** The clock with these visits open: a booked visit needs no free rider. */
export function addVisits(clock: PickupClock, visits: readonly PickupSlot[]): PickupClock {
  const ownSlots = new Set(visits.map(({ date, window }) => `${date} ${window}`))
  return { ...clock, closedSlots: new Map([...(clock.closedSlots ?? [])].filter(([slot]) => !ownSlots.has(slot))) }
}

/** Whether a visit is booked for this slot, which makes the pickup free. */
export function isVisited({ date, window }: PickupSlot, { visits }: PickupClock): boolean {
  return visits?.has(`${date} ${window}`) ?? false
}

/** The first open slot. */
export function firstSlot(clock: PickupClock): PickupSlot {
  const slots = pickupDays(clock.today).flatMap((date) => pickupWindows.map((window) => ({ date, window })))
  return slots.find((slot) => isOpen(slot, clock)) ?? { date: clock.today, window: pickupWindows[0] }
}

/** The slot if it is open, else the first of its day, else the first of all. */
export function openSlot(slot: PickupSlot | null, clock: PickupClock): PickupSlot {
  if (!slot) return firstSlot(clock)
  if (isOpen(slot, clock)) return slot
  const sameDay = pickupWindows.map((window) => ({ date: slot.date, window })).find((slot) => isOpen(slot, clock))
  return sameDay ?? firstSlot(clock)
}
