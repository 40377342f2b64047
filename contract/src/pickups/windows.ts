import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { change, day, id, idParams } from '../ground/fields.ts'
import { pickupWindows } from './pickup-choice.ts'

const pickups = z.number().check(z.int(), z.minimum(0), z.maximum(1000))
const window = z.enum(pickupWindows)
/** A time of the day, `HH:mm`. */
const clockTime = z.string().check(z.trim(), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

/** On a day of the week (1 is Monday): so many instead of the usual. */
const ofWeekday = z.object({ weekday: z.number().check(z.int(), z.minimum(1), z.maximum(7)), window, pickups })
/** On one day: so many instead of what its day of the week says. */
const ofDay = z.object({ day, window, pickups })

/** What a rider's station can fetch: one day's number goes before its weekday's, and that before the usual one. */
export const capacityInput = z.object({
  /** 0: never changed yet. */
  version: z.number().check(z.int(), z.minimum(0)),
  /** Pickups in one window, usually. */
  perWindow: pickups,
  /** The last call of the day for all that the station covers; null leaves its areas' own times. */
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
  /** Every cut-off time among its areas; several where they differ. */
  cutOffTimes: z.array(z.string()),
  /** The next days: what fits, what is booked, and whether the station's riders rest then. */
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
          /** Null for `week` and `days`, which are more than a word. */
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
  summary: 'How many pickups a station makes in each window, until when it takes them, and what is booked',
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
