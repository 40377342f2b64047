// The pickup capacity of a station and its cut-off time, shown to and changed by staff.
import { listDays } from '@waybill/contract/ground/days'
import { pickupWindows } from '@waybill/contract/pickups/pickup-choice'
import { type CapacityInput, capacityParts, type StationCapacity } from '@waybill/contract/pickups/windows'
import { listActivities, recordActivity, type ShownActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { isWorkingDay } from '../../pricing/expected-date.ts'
import { findStationsById, holidaysByCountry, listCutOffTimes, setCutOffTime } from '../../stations/service.ts'
import { mayChangeCapacity } from '../access.ts'
import { countTakenWindows } from '../rider-tasks/queries.ts'
import { defaultCapacity, windowCapacity } from '../rules.ts'
import { capacityPlan, capacityRow, replacePlan, writeCapacity } from './queries-capacity.ts'

/** The number of days whose bookings are shown. */
const shownDays = 14
/** The maximum number of changes in a response. */
const shownChanges = 20

type Part = (typeof capacityParts)[number]
type CapacityValues = Pick<CapacityInput, Part>

const getToday = (deps: Deps) => dayIn(deps.clock.now(), deps.settings.get('timezone'))

/** A station's capacity, with the bookings of the next days and the latest changes. Throws not_found. */
export async function getStationCapacity(deps: Deps, caller: StaffCaller, stationId: string): Promise<StationCapacity> {
  const { db } = deps
  const today = getToday(deps)
  const dates = listDays(today, shownDays)
  const last = dates.at(-1) ?? today
  const [stations, row, plan, takenWindows, cutOffTimes, holidays, changes] = await Promise.all([
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
  const counts = new Map(takenWindows.map(({ day, window, taken: count }) => [`${day} ${window}`, count]))
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
        booked: counts.get(`${day} ${window}`) ?? 0,
      })),
    })),
    mayChange: mayChangeCapacity(caller, stationId),
    changes: await presentChanges(deps, changes),
    version: row?.version ?? 0,
  }
}

async function presentChanges(deps: Deps, rows: readonly ShownActivity[]): Promise<StationCapacity['changes']> {
  const names = await findStaffNames(
    deps.db,
    rows.flatMap(({ user_id }) => user_id ?? []),
  )
  return rows.map(({ at, user_id, detail }) => {
    const [from, to] = [detail.from, detail.to] as [Partial<CapacityValues>, Partial<CapacityValues>]
    const formatPart = (part: Part, values: Partial<CapacityValues>) =>
      part === 'week' || part === 'days' || values[part] === undefined || values[part] === null
        ? null
        : String(values[part])
    return {
      at: at.toISOString(),
      by: names.get(user_id ?? '') ?? null,
      parts: capacityParts.flatMap((part) =>
        part in to ? [{ part, from: formatPart(part, from), to: formatPart(part, to) }] : [],
      ),
    }
  })
}

/** Problems of the input: past days, and windows that occur twice. */
function listProblems({ week, days }: CapacityInput, today: string): FieldProblem[] {
  const duplicates = (keys: readonly string[], list: string): FieldProblem[] =>
    keys.flatMap((key, n) => (keys.indexOf(key) < n ? [{ field: `${list}.${n}.window`, rule: 'taken' }] : []))
  return [
    ...duplicates(
      week.map(({ weekday, window }) => `${weekday} ${window}`),
      'week',
    ),
    ...duplicates(
      days.map(({ day, window }) => `${day} ${window}`),
      'days',
    ),
    ...days.flatMap(({ day }, n) => (day < today ? [{ field: `days.${n}.day`, rule: 'dayPast' }] : [])),
  ]
}

const inOrder = <T>(list: readonly T[]) => [...list].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))

/**
 * Changes a station's capacity and the cut-off time of its areas (null leaves different times unchanged). Booked
 * pickups stay, even if they now exceed the capacity. Throws not_found, forbidden (another station), validation
 * (`days.<n>.day`, `….window`), version_conflict.
 */
export async function changeCapacity(
  deps: Deps,
  caller: StaffCaller,
  stationId: string,
  input: CapacityInput,
): Promise<StationCapacity> {
  const before = await getStationCapacity(deps, caller, stationId)
  if (!before.mayChange) throw new AppError('forbidden')
  const problems = listProblems(input, getToday(deps))
  if (problems.length > 0) throw validationError(...problems)
  const { version, ...to } = input
  const parts = capacityParts.filter((part) => {
    if (part === 'cutOffTime' && to.cutOffTime === null) return false
    const value = (values: CapacityValues) =>
      part === 'week' || part === 'days' ? inOrder<unknown>(values[part]) : values[part]
    return JSON.stringify(value(to)) !== JSON.stringify(value(before))
  })
  await tx(deps.db, async (trx) => {
    if (!(await writeCapacity(trx, stationId, to.perWindow, version))) throw new AppError('version_conflict')
    await replacePlan(trx, stationId, getToday(deps), to)
    if (parts.includes('cutOffTime') && to.cutOffTime !== null) await setCutOffTime(deps, trx, stationId, to.cutOffTime)
    if (parts.length === 0) return
    const only = (values: CapacityValues) => Object.fromEntries(parts.map((part) => [part, values[part]]))
    await recordActivity(trx, {
      action: 'pickups.capacity',
      level: 'NOTICE',
      userId: caller.userId,
      subject: stationId,
      detail: { from: only(before), to: only(to) },
      at: deps.clock.now(),
    })
  })
  return getStationCapacity(deps, caller, stationId)
}
