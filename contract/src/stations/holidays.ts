/** Public holidays, on which nothing is picked up or delivered. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { change, country, day, id, integerText, ok, text } from '../ground/fields.ts'
import { sheetFormat, sheetMedia } from '../ground/paging.ts'

/** A day without pickups and deliveries. */
export const holiday = z.object({
  /** At most one per state and day, or one for the whole country. */
  ids: z.array(id),
  country,
  day,
  name: z.string(),
  /** Empty: the whole country. */
  states: z.array(z.string()),
})
export type Holiday = z.output<typeof holiday>

export const holidayInput = z.object({
  country,
  day,
  name: text(80),
  /** Empty: the whole country. Only if the states are known. */
  states: z.array(text(80)).check(z.maxLength(30)),
})

const path = '/api/staff/holidays'

const calendar = {
  year: integerText(2000, 2100),
  /** If absent, the deployment's own. */
  country: z.optional(country),
}

export const exportHolidays = endpoint({
  id: 'staff.holidaysXls',
  method: 'GET',
  path: `${path}/xls`,
  access: 'staff.settings',
  summary: 'Holidays of a country in a year, as .xlsx or .csv',
  query: z.object({ ...calendar, format: sheetFormat }),
  media: sheetMedia,
})

export const listHolidays = endpoint({
  id: 'staff.holidays',
  method: 'GET',
  path,
  access: 'staff.settings',
  summary: 'Holidays of a country in a year, with the latest changes to the calendar',
  query: z.object(calendar),
  response: z.object({
    items: z.array(holiday),
    country,
    /** Country codes with any holiday, and the deployment's own. */
    countries: z.array(country),
    /** States that a holiday of this country can be limited to. */
    states: z.array(z.string()),
    /** Today in the deployment's time zone; earlier holidays cannot be changed. */
    today: day,
    changes: z.array(
      z.extend(change, { what: z.enum(['added', 'removed']), day, name: z.string(), states: z.array(z.string()) }),
    ),
  }),
})

export const addHoliday = endpoint({
  id: 'staff.holidayAdd',
  method: 'POST',
  path,
  access: 'staff.settings',
  summary: 'Adds a holiday: later calculations of prices, pickups and delivery days respect it',
  body: holidayInput,
  response: holiday,
})

export const removeHolidays = endpoint({
  id: 'staff.holidayRemove',
  method: 'POST',
  path: `${path}/remove`,
  access: 'staff.settings',
  summary: 'Removes future holidays',
  body: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(100)) }),
  response: ok,
})
