/** Holidays, on which nothing is picked up or delivered. Staff maintain them. */
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { addHoliday, Holiday, listHolidays } from '@waybill/contract/stations/holidays'
import { listActivities, recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { findState, listStates } from '../postcodes.ts'
import {
  deleteHolidays,
  type HolidayRow,
  holidaysBetween,
  insertHolidays,
  listCountriesWithHolidays,
  lockDay,
  lockHolidays,
} from './queries.ts'

/** The live topic that notifies every process of changes. It is published in the transaction of the change. */
export const holidaysTopic = 'holidays'

/** The maximum number of changes in a response. */
const shownChanges = 20

const getToday = (deps: Deps) => dayIn(deps.clock.now(), deps.settings.get('timezone'))

/** Merges rows of one day and name into one holiday: of these states, or of the whole country. */
function together(rows: readonly HolidayRow[]): Holiday[] {
  return [...Map.groupBy(rows, ({ day, name, state }) => `${day} ${state === null} ${name}`).values()].map((same) => {
    const [{ country, day, name }] = same as [HolidayRow]
    return { ids: same.map(({ id }) => id), country, day, name, states: same.flatMap(({ state }) => state ?? []) }
  })
}

/** A country's holidays of a year, and the latest changes. */
export async function getHolidayYear(
  deps: Deps,
  { year, country: queryCountry }: QueryOf<typeof listHolidays>,
): Promise<ResponseOf<typeof listHolidays>> {
  const home = deps.settings.get('countryCode')
  const country = queryCountry ?? home
  const [rows, countries, changes] = await Promise.all([
    holidaysBetween(deps.db, country, `${year}-01-01`, `${year}-12-31`),
    listCountriesWithHolidays(deps.db),
    listActivities(deps.db, { actions: ['holidays.add', 'holidays.remove'] }, shownChanges),
  ])
  const names = await findStaffNames(
    deps.db,
    changes.flatMap(({ user_id }) => user_id ?? []),
  )
  return {
    items: together(rows),
    country,
    countries: [...new Set([home, ...countries])],
    states: [...listStates(country)],
    today: getToday(deps),
    changes: changes.map(({ action, at, user_id, detail }) => ({
      at: at.toISOString(),
      by: names.get(user_id ?? '') ?? null,
      what: action === 'holidays.add' ? ('added' as const) : ('removed' as const),
      day: String(detail.day),
      name: String(detail.name),
      states: detail.states as string[],
    })),
  }
}

/** The problems of a new holiday, given the day's existing ones. */
function listProblems(
  { country, day, states }: BodyOf<typeof addHoliday>,
  today: string,
  there: readonly HolidayRow[],
): FieldProblem[] {
  const problems: FieldProblem[] = day < today ? [{ field: 'day', rule: 'dayPast' }] : []
  const stateNames = new Set(listStates(country))
  if (states.some((state) => !stateNames.has(state))) problems.push({ field: 'states', rule: 'enum' })
  const same = there.find(({ state }) => state === null || states.length === 0 || states.includes(state))
  if (same) problems.push({ field: 'day', rule: 'holidayThere', vars: { name: same.name } })
  return problems
}

/**
 * Adds a holiday of the whole country or of some states. Throws validation: `day` (past, or already a holiday),
 * `states` (unknown in that country).
 */
export async function addToCalendar(
  deps: Deps,
  caller: StaffCaller,
  body: BodyOf<typeof addHoliday>,
): Promise<Holiday> {
  const states = [...new Set(body.states.map((state) => findState(state) ?? state))].sort()
  const { country, day, name } = body
  return tx(deps.db, async (trx) => {
    await lockDay(trx, country, day)
    const problems = listProblems({ ...body, states }, getToday(deps), await holidaysBetween(trx, country, day, day))
    if (problems.length > 0) throw validationError(...problems)
    const rows = (states.length === 0 ? [null] : states).map((state) => ({ id: newId(), country, day, state, name }))
    await insertHolidays(trx, rows)
    await recordActivity(trx, {
      action: 'holidays.add',
      level: 'NOTICE',
      userId: caller.userId,
      subject: `${country} ${day}`,
      detail: { country, day, name, states },
      at: deps.clock.now(),
    })
    await deps.live.publish(trx, holidaysTopic, {})
    return { ids: rows.map(({ id }) => id), country, day, name, states }
  })
}

/** Deletes holidays. Throws not_found, validation (`day`: past ones stay, because dates were promised by them). */
export async function removeFromCalendar(
  deps: Deps,
  caller: StaffCaller,
  ids: readonly string[],
): Promise<{ ok: true }> {
  return tx(deps.db, async (trx) => {
    const rows = await lockHolidays(trx, ids)
    if (rows.length !== new Set(ids).size) throw new AppError('not_found')
    const today = getToday(deps)
    if (rows.some(({ day }) => day < today)) throw validationError({ field: 'day', rule: 'dayPast' })
    await deleteHolidays(trx, ids)
    await recordActivity(
      trx,
      ...together(rows).map(({ country, day, name, states }) => ({
        action: 'holidays.remove',
        level: 'NOTICE' as const,
        userId: caller.userId,
        subject: `${country} ${day}`,
        detail: { country, day, name, states },
        at: deps.clock.now(),
      })),
    )
    await deps.live.publish(trx, holidaysTopic, {})
    return { ok: true as const }
  })
}
