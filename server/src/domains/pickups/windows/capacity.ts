/** What a station's riders can fetch, and until when: looked at and changed by staff. */

import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import { type CapacityInput, capacityParts, type StationCapacity } from '@waybill/contract/pickups/windows'
import { listActivities, recordActivity, type ShownActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { namesOfStaff } from '../../accounts/service.ts'
import { isWorkingDay } from '../../pricing/expected-date.ts'
import { findStationsById, holidaysByCountry, listCutOffTimes, setCutOffTime } from '../../stations/service.ts'
import { mayChangeCapacity } from '../access.ts'
import { countTakenWindows } from '../rider-tasks/queries.ts'
import { dayAfter, defaultCapacity, windowCapacity } from '../rules.ts'
import { capacityPlan, capacityRow, replacePlan, writeCapacity } from './queries-capacity.ts'

/** Days of bookings that are shown beside the numbers. */
const shownDays = 14
/** Changes that an answer has at most. */
const shownChanges = 20

type Part = (typeof capacityParts)[number]
type Kept = Pick<CapacityInput, Part>

const todayOf = (deps: Deps) => dayIn(deps.clock.now(), deps.settings.get('timezone'))

/** A station's capacity with what is booked in the next days. Throws not_found. */
export async function capacityOfStation(deps: Deps, caller: StaffCaller, stationId: string): Promise<StationCapacity> {
  const { db } = deps
  const today = todayOf(deps)
  const dates = Array.from({ length: shownDays }, (_, n) => dayAfter(today, n))
  const last = dates.at(-1) ?? today
  const [stations, row, plan, taken, cutOffTimes, holidays, changes] = await Promise.all([
    findStationsById(db, [stationId]),
    capacityRow(db, stationId),
    capacityPlan(db, stationId, today, null),
    countTakenWindows(db, stationId, today, last, null),
    listCutOffTimes(db, stationId),
    holidaysByCountry(db),
    listActivities(db, { actions: ['pickups.capacity'], subject: stationId }, shownChanges),
  ])
  const station = stations.get(stationId)
  if (!station) throw new AppError('not_found')
  const full = { ...plan, perWindow: plan.perWindow ?? defaultCapacity }
  const booked = new Map(taken.map(({ day, window, taken: count }) => [`${day} ${window}`, count]))
  const closed = holidays.get(station.country) ?? []
  const [cutOffTime = null] = cutOffTimes.length === 1 ? cutOffTimes : []
  return {
    ...(full as Pick<StationCapacity, 'perWindow' | 'week' | 'days'>),
    stationId,
    stationName: station.name,
    cutOffTime,
    cutOffTimes,
    load: dates.map((day) => ({
      day,
      rests: !isWorkingDay(day, station.state, closed),
      windows: pickupWindows.map((window) => ({
        window,
        pickups: windowCapacity(full, day, window),
        booked: booked.get(`${day} ${window}`) ?? 0,
      })),
    })),
    mayChange: mayChangeCapacity(caller, stationId),
    changes: await presentChanges(deps, changes),
    version: row?.version ?? 0,
  }
}

async function presentChanges(deps: Deps, rows: readonly ShownActivity[]): Promise<StationCapacity['changes']> {
  const names = await namesOfStaff(
    deps.db,
    rows.flatMap(({ user_id }) => user_id ?? []),
  )
  return rows.map(({ at, user_id, detail }) => {
    const [from, to] = [detail.from, detail.to] as [Partial<Kept>, Partial<Kept>]
    const word = (part: Part, kept: Partial<Kept>) =>
      part === 'week' || part === 'days' || kept[part] === undefined || kept[part] === null ? null : String(kept[part])
    return {
      at: at.toISOString(),
      by: names.get(user_id ?? '') ?? null,
      parts: capacityParts.flatMap((part) =>
        part in to ? [{ part, from: word(part, from), to: word(part, to) }] : [],
      ),
    }
  })
}

/** Days that are over, and windows that stand there twice. */
function problemsOf({ week, days }: CapacityInput, today: string): FieldProblem[] {
  const twice = (keys: readonly string[], list: string): FieldProblem[] =>
    keys.flatMap((key, n) => (keys.indexOf(key) < n ? [{ field: `${list}.${n}.window`, rule: 'taken' }] : []))
  return [
    ...twice(
      week.map(({ weekday, window }) => `${weekday} ${window}`),
      'week',
    ),
    ...twice(
      days.map(({ day, window }) => `${day} ${window}`),
      'days',
    ),
    ...days.flatMap(({ day }, n) => (day < today ? [{ field: `days.${n}.day`, rule: 'dayPast' }] : [])),
  ]
}

const inOrder = <T>(list: readonly T[]) => [...list].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

/**
 * Writes a station's capacity and its areas' cut-off time (null leaves those that differ). Pickups that are booked
 * stay, also where they are more than now fit. Throws not_found, forbidden (another station's), validation
 * (`days.<n>.day`, `…window`), version_conflict.
 */
export async function changeCapacity(
  deps: Deps,
  caller: StaffCaller,
  stationId: string,
  input: CapacityInput,
): Promise<StationCapacity> {
  const before = await capacityOfStation(deps, caller, stationId)
  if (!before.mayChange) throw new AppError('forbidden')
  const problems = problemsOf(input, todayOf(deps))
  if (problems.length > 0) throw validationError(...problems)
  const { version, ...to } = input
  const parts = capacityParts.filter((part) => {
    if (part === 'cutOffTime' && to.cutOffTime === null) return false
    const value = (kept: Kept) => (part === 'week' || part === 'days' ? inOrder<unknown>(kept[part]) : kept[part])
    return JSON.stringify(value(to)) !== JSON.stringify(value(before))
  })
  await tx(deps.db, async (trx) => {
    if (!(await writeCapacity(trx, stationId, to.perWindow, version))) throw new AppError('version_conflict')
    await replacePlan(trx, stationId, todayOf(deps), to)
    if (parts.includes('cutOffTime') && to.cutOffTime !== null) await setCutOffTime(deps, trx, stationId, to.cutOffTime)
    if (parts.length === 0) return
    const only = (kept: Kept) => Object.fromEntries(parts.map((part) => [part, kept[part]]))
    await recordActivity(trx, {
      action: 'pickups.capacity',
      level: 'NOTICE',
      userId: caller.userId,
      subject: stationId,
      detail: { from: only(before), to: only(to) },
      at: deps.clock.now(),
    })
  })
  return capacityOfStation(deps, caller, stationId)
}
