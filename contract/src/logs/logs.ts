/** The activity log: who did what, and what failed. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { logLevelLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { day, id, instant } from '../ground/fields.ts'
import { keysetPage, keysetQuery, withOrderedPeriod } from '../ground/paging.ts'

/** The eight levels of RFC 5424, the least severe first. */
export const logLevels = labelValues(logLevelLabels)

/** A record that an entry of an account is about. */
const logSubject = z.object({
  kind: z.enum(['parcel', 'order', 'gunny']),
  id,
  /** Null: a parcel without a tracking number, which may have a reference. */
  number: z.nullable(z.string()),
  reference: z.nullable(z.string()),
})
export type LogSubject = z.output<typeof logSubject>

export const logEntry = z.object({
  id,
  level: z.enum(logLevels),
  /** `domain.verb`; words under `action.` in the locale files. */
  action: z.string(),
  /** Null for a job, and for a user who no longer exists. */
  by: z.nullable(z.object({ name: z.string(), staff: z.boolean() })),
  at: instant,
  /** Only in the log of an account: the parcel, order or gunny of the entry, if it has one that still exists. */
  about: z.optional(logSubject),
  /** This field and those below are only for staff: the account of the entry. */
  account: z.optional(z.nullable(z.object({ id, name: z.string() }))),
  /** The id or key of the changed record. */
  subject: z.optional(z.nullable(z.string())),
  /** The address of the client. */
  ip: z.optional(z.nullable(z.string())),
  /** The values that the action recorded, as text. */
  detail: z.optional(z.string()),
})
export type LogEntry = z.output<typeof logEntry>

/** `from` and `to` are days in the deployment's time zone, both included. */
const logFilters = {
  /** This level and every more severe one. */
  level: z.optional(z.enum(logLevels)),
  /** One action, `domain.verb`. */
  action: z.optional(z.string().check(z.regex(/^[\w-]{1,40}\.[\w-]{1,40}$/))),
  from: z.optional(day),
  to: z.optional(day),
}

export const listLogs = endpoint({
  id: 'logs.list',
  method: 'GET',
  path: '/api/logs',
  access: 'logs',
  summary:
    "The activity log, newest first: of the caller's account for its owner, of the whole deployment for staff with " +
    'the right to see it',
  query: withOrderedPeriod(z.extend(keysetQuery(), logFilters)),
  response: keysetPage(logEntry),
})

export const listLogActions = endpoint({
  id: 'logs.actions',
  method: 'GET',
  path: '/api/logs/actions',
  access: 'logs',
  summary: 'The actions that occur in the log that the caller sees, for the filter `action`',
  response: z.object({ items: z.array(z.string()) }),
})

export const exportLogs = endpoint({
  id: 'logs.export',
  method: 'GET',
  path: '/api/logs/excel',
  access: 'logs',
  summary: 'The entries that the same filters list, all of them, as .xlsx or .csv',
  query: withOrderedPeriod(z.object({ ...logFilters, format: z._default(z.enum(['xlsx', 'csv']), 'xlsx' as const) })),
  media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
})
