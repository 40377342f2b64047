// Slots of pickups: the days and windows in which a station's riders come to an address.
import { addDays, listDays } from '@waybill/contract/ground/days'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { type PickupChoice, pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import type { pickupSlots } from '@waybill/contract/pickups/slots'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { dayIn, timeIn } from '../../../lib/clock.ts'
import { listVisitsTo } from '../../parcels/pickup-side/visits.ts'
import { isWorkingDay } from '../../pricing/expected-date.ts'
import { fetchingStation } from '../../stations/network.ts'
import { holidaysByCountry } from '../../stations/service.ts'
import { countTakenWindows, lockWindow } from '../rider-tasks/queries.ts'
import { defaultCapacity, furthestDays, timeProblems, type WallClock, whySlotClosed, windowCapacity } from '../rules.ts'
import { capacityPlan } from './queries-capacity.ts'

function wallClock(deps: Deps): WallClock {
  const [now, timeZone] = [deps.clock.now(), deps.settings.get('timezone')]
  const today = dayIn(now, timeZone)
  return { today, time: timeIn(now, timeZone), lastDay: addDays(today, furthestDays) }
}

/**
 * Returns a function that tells whether a window is full, for the days from `from` to `to`. `except`: a pickup that is
 * not counted.
 */
async function countLoad(db: DbOrTx, stationId: string, from: string, to: string, except: string | null) {
  const [plan, takenWindows] = await Promise.all([
    capacityPlan(db, stationId, from, to),
    countTakenWindows(db, stationId, from, to, except),
  ])
  const full = { ...plan, perWindow: plan.perWindow ?? defaultCapacity }
  const counts = new Map(takenWindows.map(({ day, window, taken: count }) => [`${day} ${window}`, count]))
  return (day: string, window: string) => (counts.get(`${day} ${window}`) ?? 0) >= windowCapacity(full, day, window)
}

/**
 * Checks that a rider comes to an address on a day in a window, and returns the station. `prefix`: the path of the
 * choice in the request. `except`: a pickup whose own place counts as free. `joins`: it joins a visit, so a full
 * window is accepted. Throws validation (`pickup.date`, `pickup.window`, `pickup.address.postcode`).
 */
export async function requireOpenSlot(
  deps: Deps,
  db: DbOrTx,
  choice: PickupChoice,
  {
    prefix = 'pickup.',
    except = null,
    joins = false,
  }: { prefix?: string; except?: string | null; joins?: boolean } = {},
): Promise<{ stationId: string | null }> {
  const { postcode, country } = choice.address
  const covering = await fetchingStation(deps.db, country, postcode)
  const wall = wallClock(deps)
  const problems: FieldProblem[] = covering ? [] : [{ field: 'pickup.address.postcode', rule: 'notCovered' }]
  problems.push(...timeProblems(choice, wall, covering?.cutOffTime ?? null))
  if (covering && problems.length === 0) {
    const { station } = covering
    const holidays = (await holidaysByCountry(db)).get(country) ?? []
    const isFull = await countLoad(db, station.id, choice.date, choice.date, except)
    if (!isWorkingDay(choice.date, station.state, holidays)) problems.push({ field: 'pickup.date', rule: 'restDay' })
    else if (!joins && isFull(choice.date, choice.window)) problems.push({ field: 'pickup.window', rule: 'windowFull' })
  }
  if (problems.length > 0) {
    throw validationError(
      ...problems.map((problem) => ({ ...problem, field: problem.field.replace('pickup.', prefix) })),
    )
  }
  return { stationId: covering?.station.id ?? null }
}

/** Reserves a place in a window, in the transaction that writes the pickup. Throws pickup_full. */
export async function reserveSlot(
  trx: DbOrTx,
  stationId: string | null,
  { date, window }: Pick<PickupChoice, 'date' | 'window'>,
  except: string | null,
): Promise<void> {
  if (stationId === null) return
  await lockWindow(trx, stationId, date, window)
  const isFull = await countLoad(trx, stationId, date, date, except)
  if (isFull(date, window)) throw new AppError('pickup_full', { fields: [{ field: 'window', rule: 'windowFull' }] })
}

/** All windows of the next days at a postcode. Throws validation (`postcode`) if no rider comes there. */
export async function listSlots(
  deps: Deps,
  accountId: AccountId,
  { postcode, country, days: count, line1, line2 }: QueryOf<typeof pickupSlots>,
): Promise<ResponseOf<typeof pickupSlots>> {
  const covering = await fetchingStation(deps.db, country, postcode)
  if (!covering) throw validationError({ field: 'postcode', rule: 'notCovered' })
  const { station, cutOffTime } = covering
  const wall = wallClock(deps)
  const dates = listDays(wall.today, count)
  const door = line1 ? { line1, line2: line2 ?? null, postcode, country } : null
  const [holidays, isFull, visits] = await Promise.all([
    holidaysByCountry(deps.db),
    countLoad(deps.db, station.id, wall.today, dates.at(-1) ?? wall.today, null),
    door ? listVisitsTo(deps, deps.db, accountId, door) : [],
  ])
  const visitWindows = new Set(visits.map(({ date, window }) => `${date} ${window}`))
  const rests = new Set(dates.filter((date) => !isWorkingDay(date, station.state, holidays.get(country) ?? [])))
  return {
    items: dates.flatMap((date) =>
      pickupWindows.map((window) => {
        const visit = visitWindows.has(`${date} ${window}`)
        const full = !visit && isFull(date, window)
        const problems = timeProblems({ date, window }, wall, cutOffTime)
        return { date, window, visit, closed: whySlotClosed({ rests: rests.has(date), full }, problems) }
      }),
    ),
  }
}
