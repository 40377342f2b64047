/** The pickup capacity of a station, by window. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { change, day, id, idParams, integer, versionOrNone, weekday } from '../ground/fields.ts'
import { pickupWindows } from './pickup-choice.ts'

const pickups = integer(0, 1000)
const window = z.enum(pickupWindows)
/** A time of the day, `HH:mm`. */
const clockTime = z.string().check(z.trim(), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** The capacity on a day of the week, instead of the default. */
const ofWeekday = z.object({ weekday: weekday, window, pickups })
/** The capacity on one day, instead of the one of its weekday. */
const ofDay = z.object({ day, window, pickups })

/** The pickup capacity of a station: a day overrides its weekday, and a weekday overrides the default. */
export const capacityInput = z.object({
  /** 0: never changed yet. */
  version: versionOrNone,
  /** The default number of pickups in one window. */
  perWindow: pickups,
  /** The cut-off time for everything the station covers; null keeps the times of its areas. */
  cutOffTime: z.nullable(clockTime),
  week: z.array(ofWeekday).check(z.maxLength(21)),
  /** From today on. */
  days: z.array(ofDay).check(z.maxLength(400)),
})
export type CapacityInput = z.output<typeof capacityInput>

export const capacityParts = ['perWindow', 'cutOffTime', 'week', 'days'] as const

export const stationCapacity = z.extend(capacityInput, {
  stationId: id,
  stationName: z.string(),
  /** Every cut-off time among its areas; several if they differ. */
  cutOffTimes: z.array(z.string()),
  /** The next days: capacity, bookings, and whether it is a rest day. */
  load: z.array(
    z.object({ day, rests: z.boolean(), windows: z.array(z.object({ window, pickups, booked: z.number() })) }),
  ),
  /** Whether the caller may change it: operations staff of this station, and admins. */
  mayChange: z.boolean(),
  /** The latest changes, newest first. */
  changes: z.array(
    z.extend(change, {
      parts: z.array(
        z.object({
          part: z.enum(capacityParts),
          /** Null for `week` and `days`, which are lists. */
          from: z.nullable(z.string()),
          to: z.nullable(z.string()),
        }),
      ),
    }),
  ),
})
export type StationCapacity = z.output<typeof stationCapacity>

const base = '/api/staff/pickup-capacity'

export const getPickupCapacity = endpoint({
  id: 'staff.pickupCapacity',
  method: 'GET',
  path: `${base}/:id`,
  access: 'staff.operate',
  summary: 'The pickup capacity of a station by window, the booking deadlines, and the booked pickups',
  params: idParams,
  response: stationCapacity,
})

export const putPickupCapacity = endpoint({
  id: 'staff.pickupCapacityPut',
  method: 'PUT',
  path: `${base}/:id`,
  access: 'staff.operate',
  summary: "Writes a station's capacity and cut-off time; pickups that are booked stay. Operations staff: of their own",
  params: idParams,
  body: capacityInput,
  response: stationCapacity,
})
