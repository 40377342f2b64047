/** When riders fetch the demo's parcels. */
import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import { days, hours, later, minutes } from '../../lib/clock.ts'
import type { NetworkMap } from './map.ts'
import { type Chance, createChance } from './random.ts'
import { localDay, localHour, localMidnight } from './time.ts'

/** The day and time of a pickup: when it was requested, when the parcels are picked up, and when the window ends. */
export type PickUp = { date: string; window: (typeof pickupWindows)[number]; at: Date; ends: Date }

/** The account and postcode of a pickup. */
type Door = { account: string; postcode: string }

/** Identifies a rider's visit: one account, day and window. */
export const visitKey = (account: string, { date, window }: Pick<PickUp, 'date' | 'window'>) =>
  `${account} ${date} ${window}`

/**
 * Chooses like a sender: today if a window begins in two hours or later, else the next working day. Visits in
 * `takenSlots` are skipped: a failed one must not include more parcels.
 */
export function choosePickUp(
  map: NetworkMap,
  door: Door,
  ordered: Date,
  chance: Chance,
  takenSlots: ReadonlySet<string>,
): PickUp {
  const station = map.findStation(door.postcode)
  const cutOff = Number(map.getCutOffTime(door.postcode).slice(0, 2))
  for (let ahead = 0; ahead < 30; ahead += 1) {
    const day = later(localMidnight(ordered), days(ahead))
    const date = localDay(day)
    if (!map.worksOn(station, date)) continue
    const open = pickupWindows.filter(
      (window) =>
        !takenSlots.has(visitKey(door.account, { date, window })) &&
        (ahead > 0 || (begin(window) >= localHour(ordered) + 2 && localHour(ordered) < cutOff - 0.5)),
    )
    if (open.length > 0) return inWindow(door.account, day, chance.pick(open))
  }
  throw new Error(`no rider comes to ${door.postcode}`)
}

/** Orders that share a visit are picked up together, so the time depends only on the visit. */
function inWindow(account: string, day: Date, window: PickUp['window']): PickUp {
  const date = localDay(day)
  const [from, to] = [begin(window), end(window)]
  const after = createChance(`visit ${visitKey(account, { date, window })}`).whole(20, (to - from) * 60 - 40)
  return { date, window, at: later(day, hours(from) + minutes(after)), ends: later(day, hours(to)) }
}

/** The hour at which a window begins: `09:00-12:00` -> 9. */
const begin = (window: string) => Number(window.slice(0, 2))
const end = (window: string) => Number(window.slice(6, 8))
