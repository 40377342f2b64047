import type { TaskStatus } from '@waybill/contract/ground/enums'
import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import { days, hours, later, minutes } from '../../lib/clock.ts'
import type { Chance } from './random.ts'
import { localDay, localHour, localMidnight, localWeekday } from './time.ts'

/** When the rider was asked to come, and when the parcels were fetched (if they will be, in the end). */
export type PickUp = { date: string; window: (typeof pickupWindows)[number]; at: Date }

const sunday = 0

/**
 * As a sender chooses: today if there is a window left that begins in two hours or later, else the next working day.
 */
export function choosePickUp(ordered: Date, chance: Chance): PickUp {
  const open = pickupWindows.filter((window) => begin(window) >= localHour(ordered) + 2)
  const today = localMidnight(ordered)
  return open.length > 0 && localWeekday(today) !== sunday
    ? inWindow(today, chance.pick(open), chance)
    : inWindow(workingDayFrom(later(today, days(1))), chance.pick(pickupWindows), chance)
}

/** A pickup whose task is to be in this state at this moment. */
export function pickUpFor(task: TaskStatus, now: Date, chance: Chance): PickUp {
  const today = localMidnight(now)
  switch (task) {
    case 'new':
      return inWindow(workingDayFrom(later(today, days(1))), chance.pick(pickupWindows), chance)
    case 'failed':
      return inWindow(workingDayUpTo(later(today, -days(1))), chance.pick(pickupWindows), chance)
    default: {
      const left = pickupWindows.filter((window) => end(window) > localHour(now))
      const [next = task === 'in_progress' ? pickupWindows[2] : undefined] = left
      return next
        ? inWindow(today, next, chance)
        : inWindow(workingDayFrom(later(today, days(1))), pickupWindows[0], chance)
    }
  }
}

function inWindow(day: Date, window: PickUp['window'], chance: Chance): PickUp {
  const length = end(window) - begin(window)
  const at = later(day, hours(begin(window)) + minutes(chance.whole(8, length * 60 - 8)))
  return { date: localDay(day), window, at }
}

/** `09:00-12:00` -> 9 and 12. */
const begin = (window: string) => Number(window.slice(0, 2))
const end = (window: string) => Number(window.slice(6, 8))

const workingDayFrom = (day: Date): Date => (localWeekday(day) === sunday ? later(day, days(1)) : day)
const workingDayUpTo = (day: Date): Date => (localWeekday(day) === sunday ? later(day, -days(1)) : day)
