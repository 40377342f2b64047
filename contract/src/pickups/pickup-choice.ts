/** The day and the window of a pickup. */
import * as z from 'zod/mini'
import { type Party, party } from '../addresses/addresses.ts'
import { listDays } from '../ground/days.ts'
import { day } from '../ground/fields.ts'

/** Pickup windows, in the deployment's time zone. */
export const pickupWindows = ['09:00-12:00', '12:00-15:00', '15:00-18:00'] as const

export const pickupChoice = z.object({ address: party, date: day, window: z.enum(pickupWindows) })
export type PickupChoice = z.output<typeof pickupChoice>

type Slot = Pick<PickupChoice, 'date' | 'window'>

/** The days that are offered for a pickup, today first. */
export const pickupDays = (today: string): string[] => listDays(today, 6)

/** Local day `YYYY-MM-DD` and time `HH:mm`, and the last time for a pickup on the same day; null: no limit. */
export type PickupClock = { today: string; time: string; cutOff: string | null }

/** Whether it is too late for a slot: its window has started, or its day is today and the cut-off time is over. */
export function isSlotPast({ date, window }: Slot, { today, time, cutOff }: PickupClock): boolean {
  if (date !== today) return date < today
  return (window.split('-')[0] ?? '') <= time || (cutOff !== null && cutOff <= time)
}

/** A rider's visit that is already booked. */
export const pickupVisit = z.object({ number: z.string(), date: day, window: z.enum(pickupWindows) })
export type PickupVisit = z.output<typeof pickupVisit>

const plain = (text: string | null) => (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** The fields that identify a door. */
export type Door = Pick<Party, 'line1' | 'line2' | 'postcode' | 'country'>

/** Whether two addresses are the same door, whatever their spelling and contact. */
export function isSamePlace(a: Door, b: Door): boolean {
  const buildKey = ({ line1, line2, postcode, country }: Door) =>
    [`${plain(line1)}${plain(line2)}`, plain(postcode), country].join('|')
  return buildKey(a) === buildKey(b)
}
