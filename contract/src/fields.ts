import * as z from 'zod/mini'
import { locales } from './enums.ts'

/** Field rules, written once for forms and server. Their messages come from the code (`validation.ts`). */

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

export const id = z.uuid()
export const idParams = z.object({ id })
export const version = z.number().check(z.int(), z.minimum(1))
export const email = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(emailLimit), z.email())
export const url = z.url().check(z.maxLength(urlLimit))
export const locale = z.enum(locales)
/** E.164; the server checks it against the country's numbering plan as well. */
export const phone = z.string().check(z.trim(), z.regex(/^\+[1-9]\d{6,14}$/))
/** ISO 3166-1 alpha-2, lower case as the specification wants it. */
export const country = z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z]{2}$/))
export const postcode = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(12), z.regex(/^[0-9A-Za-z][0-9A-Za-z -]*$/))
/** ISO 8601 UTC. */
export const instant = z.iso.datetime()
/** A calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date()
export const otp = z.string().check(z.trim(), z.regex(/^\d{6}$/))
export const pin = z.string().check(z.regex(/^\d{6}$/))
/** ASVS: long enough, no upper limit that hurts a pass phrase. */
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
