/** The terms of carriage and the privacy notice: texts by staff, in numbered versions that never change. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { instant, integer, optionalText, text } from '../ground/fields.ts'

export const legalKinds = ['terms', 'privacy'] as const
export type LegalKind = (typeof legalKinds)[number]

/** The maximum length of a text in one language, in characters. */
const longest = 60_000

/**
 * A text in both languages; if the Chinese one is missing, the English one is shown. Lines that begin with `## ` are
 * headings.
 */
const texts = z.object({ en: text(longest), cn_zh: optionalText(longest) })

const params = z.object({ kind: z.enum(legalKinds) })
const versionNumber = integer(1, 1_000_000)

export const legalText = z.object({
  kind: z.enum(legalKinds),
  version: z.number(),
  /** The version in force. */
  latest: z.number(),
  publishedAt: instant,
  /** In the caller's language. */
  text: z.string(),
})
export type LegalText = z.output<typeof legalText>

export const legalVersion = z.object({
  version: z.number(),
  publishedAt: instant,
  text: z.object({ en: z.string(), cn_zh: z.nullable(z.string()) }),
})
export type LegalVersion = z.output<typeof legalVersion>

export const getLegalText = endpoint({
  id: 'legal.get',
  method: 'GET',
  path: '/api/public/legal/:kind',
  access: 'public',
  summary: 'The terms of carriage or the privacy notice, as in force or in an earlier version; 404 before the first',
  params,
  query: z.object({ version: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000))) }),
  response: legalText,
})

/** The maximum number of versions in one response. */
export const maxLegalVersions = 20

export const listLegalVersions = endpoint({
  id: 'legal.versions',
  method: 'GET',
  path: '/api/staff/legal/:kind',
  access: 'staff.content',
  summary: 'The latest versions of a text in both languages, newest first',
  params,
  response: z.object({ items: z.array(legalVersion) }),
})

export const publishLegalText = endpoint({
  id: 'legal.publish',
  method: 'POST',
  path: '/api/staff/legal/:kind',
  access: 'staff.content',
  summary: 'Publishes the next version of a text, in force at once; another new version meanwhile answers 409',
  params,
  body: z.object({
    /** The version that the author edited; null: there was none. */
    after: z.nullable(versionNumber),
    text: texts,
  }),
  response: legalVersion,
  // Two languages of the maximum length, with three bytes per character.
  bodyBytes: 400_000,
})
