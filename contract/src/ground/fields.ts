/** Field rules, shared by forms and server. The messages are in `validation.ts`. */
import * as z from 'zod/mini'
import { locales } from './constants.ts'

export const emailLimit = 320
export const urlLimit = 2048

/** A required line of text, trimmed, 1 to `max` characters. */
/* @__NO_SIDE_EFFECTS__ */
export const text = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max))

/** An optional line: absent, null and empty are all null. */
/* @__NO_SIDE_EFFECTS__ */
export const optionalText = (max: number) =>
  z._default(
    z.nullable(
      z.pipe(
        z.string().check(z.trim(), z.maxLength(max)),
        z.transform((value: string) => (value === '' ? null : value)),
      ),
    ),
    null,
  )

/** Line breaks, control characters and characters that reverse the text direction, which no name contains. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u
/** Domain endings that mail programs turn into links when a name has no space after its dot. */
const siteEndings =
  'com|net|org|info|biz|io|co|app|dev|xyz|top|site|online|website|shop|store|club|live|link|click|icu|vip|tech|' +
  'cloud|page|gov|edu|my|sg|cn|hk|tw|uk|ru|tk|ml|ga|cf|gq|cc|tv|ly|gl|gg|gd|ws|me'
const webAddress = new RegExp(
  [
    ':\\s*/\\s*/',
    '(?<![\\p{L}\\p{N}])www\\s*\\.',
    '\\S@\\S+\\.\\S',
    `[\\p{L}\\p{N}-][.。．｡](?:${siteEndings})(?![\\p{L}\\p{N}])`,
    '[\\p{L}\\p{N}-]{2,}\\.\\p{L}{2,}/',
  ].join('|'),
  'iu',
)
/** A text that is too long fails on its length; matching it would only cost time. */
const isName = (value: string) => value.length > 500 || (!unprintable.test(value) && !webAddress.test(value))
/* @__NO_SIDE_EFFECTS__ */
const nameCheck = () => z.refine<string>(isName, { params: { rule: 'name' } })

/**
 * The name of a person or a company, 1 to `max` characters. Names appear in our mails to other people: a name with a
 * link or line breaks would let anyone send their own message through us.
 */
/* @__NO_SIDE_EFFECTS__ */
export const nameText = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max), nameCheck())

/** The same, optional: absent, null and empty are all null. */
/* @__NO_SIDE_EFFECTS__ */
export const optionalName = (max: number) =>
  z._default(
    z.nullable(
      z.pipe(
        z.string().check(z.trim(), z.maxLength(max), nameCheck()),
        z.transform((value: string) => (value === '' ? null : value)),
      ),
    ),
    null,
  )

/** The largest `integer` of PostgreSQL; a larger number would be an error of the database. */
const largestInteger = 2_147_483_647

/** A whole number within two bounds, both included. */
/* @__NO_SIDE_EFFECTS__ */
export const integer = (least: number, most: number = largestInteger) =>
  z.number().check(z.int(), z.minimum(least), z.maximum(most))

/** The same, as a query string or a path delivers it. */
/* @__NO_SIDE_EFFECTS__ */
export const integerText = (least: number, most: number = largestInteger) =>
  z.coerce.number().check(z.int(), z.minimum(least), z.maximum(most))

/** A day of the week: 1 is Monday. */
export const weekday = integer(1, 7)
export const id = z.uuid()
export const idParams = z.object({ id })
/** The largest version that can be sent back: the change stores the next one. */
const largestVersion = largestInteger - 1
export const version = integer(1, largestVersion)
/** The version of a record that its first change creates: 0 until then. */
export const versionOrNone = integer(0, largestVersion)
export const email = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(emailLimit), z.email())
export const url = z.url().check(z.maxLength(urlLimit))
export const locale = z.enum(locales)
/** E.164. */
export const phonePattern = /^\+[1-9]\d{6,14}$/
/** The server also checks it against the country's numbering plan. */
export const phone = z.string().check(z.trim(), z.regex(phonePattern))
/** ISO 3166-1 alpha-2, lower case as in the specification. */
export const country = z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z]{2}$/))
export const postcode = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(12), z.regex(/^[0-9A-Za-z][0-9A-Za-z -]*$/))
/** ISO 8601 UTC. */
export const instant = z.iso.datetime()
/** A calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date()
/** Who changed a record and when, as in the activity log; `by` is null for a job and for a deleted user. */
export const change = z.object({ at: instant, by: z.nullable(z.string()) })
export const otp = z.string().check(z.trim(), z.regex(/^\d{6}$/))
export const pin = z.string().check(z.regex(/^\d{6}$/))
/** As OWASP ASVS requires: a minimum length, and a maximum that allows pass phrases. */
export const newPassword = z.string().check(z.minLength(10), z.maxLength(200))
export const ok = z.object({ ok: z.literal(true) })
/** `a,b,c` in a path or query. */
/* @__NO_SIDE_EFFECTS__ */
export const commaSeparated = (max: number) =>
  z.pipe(
    z.string().check(z.minLength(1), z.maxLength(max * 64)),
    z.transform((value: string) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  )
