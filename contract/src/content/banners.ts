/** Banners and announcements as staff edit them. The customers' view is in `content.ts`. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { bannerKindLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { day, id, idParams, integer, ok, optionalText, text, urlLimit, version } from '../ground/fields.ts'
import { keysetPage, keysetQuery, sheetFormat, sheetMedia } from '../ground/paging.ts'

/** A tag or the beginning of one. Banners are plain text: customers would read the tags. */
const tag = /<[a-z!/?]/i
/* @__NO_SIDE_EFFECTS__ */
const noTags = () =>
  z.refine<string | null>((value) => value === null || !tag.test(value), { params: { rule: 'html' } })

/** A text in both languages; if the Chinese one is missing, the English one is shown. */
const title = z.object({ en: text(120).check(noTags()), cn_zh: optionalText(120).check(noTags()) })
const body = z.object({ en: optionalText(600).check(noTags()), cn_zh: optionalText(600).check(noTags()) })

/**
 * A page of the portal, or a web address without a user name. Browsers read `//host` and `/\host` as another site, and
 * run `javascript:`.
 */
const linkPattern = /^(https?:\/\/[^\s/\\@?#]+(?:[/?#]\S*)?|\/(?![/\\])\S*)$/i
/** Files that a browser or a computer executes, on any site. */
const program = /\.(?:m?js|jsm|wasm|vbs|hta|exe|msi|scr|bat|cmd|ps1|apk|dmg|jar|svgz?)(?:[?#]|$)/i

/** The target of a banner; null: none. */
export const bannerLink = z.nullable(
  z.string().check(
    z.trim(),
    z.maxLength(urlLimit),
    z.regex(linkPattern),
    z.refine((value) => !program.test(value), { params: { rule: 'linkToProgram' } }),
  ),
)

const fields = {
  kind: z.enum(labelValues(bannerKindLabels)),
  title,
  body,
  linkUrl: z._default(bannerLink, null),
  /** An upload with the purpose `banner`; null: no image. */
  imageId: z._default(z.nullable(id), null),
  /** Lower numbers come first. */
  position: integer(-1000, 1000),
  /** The first and the last day in the time zone of the deployment; without a last day it stays. */
  startsOn: day,
  endsOn: z._default(z.nullable(day), null),
}

type Period = { startsOn: string; endsOn: string | null }
/* @__NO_SIDE_EFFECTS__ */
const endsAfterStart = () =>
  z.refine<Period>(({ startsOn, endsOn }) => endsOn === null || endsOn >= startsOn, {
    path: ['endsOn'],
    params: { rule: 'endBeforeStart' },
  })

export const bannerInput = z.object(fields).check(endsAfterStart())
export const bannerChange = z.object({ ...fields, version }).check(endsAfterStart())

export const staffBanner = z.object({
  id,
  kind: fields.kind,
  title: z.object({ en: z.string(), cn_zh: z.nullable(z.string()) }),
  body: z.object({ en: z.nullable(z.string()), cn_zh: z.nullable(z.string()) }),
  linkUrl: z.nullable(z.string()),
  /** The uploaded image. */
  image: z.nullable(z.object({ id, name: z.string(), link: z.string() })),
  /** The shown picture: the uploaded image, or a built-in one. */
  imageUrl: z.nullable(z.string()),
  position: z.number(),
  startsOn: day,
  endsOn: z.nullable(day),
  state: z.enum(['on', 'upcoming', 'over']),
  /** Whether customers see it now: it is active and among the first `shownBanners`. */
  shown: z.boolean(),
  version,
})
export type StaffBanner = z.output<typeof staffBanner>

export const bannerTabs = ['all', 'on', 'upcoming', 'over'] as const

const bannerFilters = {
  search: z.optional(z.string().check(z.maxLength(120))),
  tab: z._default(z.enum(bannerTabs), 'all'),
}

export const exportBanners = endpoint({
  id: 'content.bannersXls',
  method: 'GET',
  path: '/api/staff/banners/xls',
  access: 'staff.content',
  summary: 'The banners that the same filters list, all of them, as .xlsx or .csv',
  query: z.object({ ...bannerFilters, format: sheetFormat }),
  media: sheetMedia,
})

export const listStaffBanners = endpoint({
  id: 'content.staffBanners',
  method: 'GET',
  path: '/api/staff/banners',
  access: 'staff.content',
  summary: 'Every banner in both languages, in the order in which they are shown',
  query: z.extend(keysetQuery(), bannerFilters),
  response: keysetPage(staffBanner),
})

const path = '/api/customer/banners'

export const createBanner = endpoint({
  id: 'content.bannerCreate',
  method: 'POST',
  path,
  access: 'staff.content',
  summary: 'Creates a banner, shown to everybody from its first day',
  body: bannerInput,
  response: staffBanner,
})

export const getBanner = endpoint({
  id: 'content.bannerGet',
  method: 'GET',
  path: `${path}/:id`,
  access: 'staff.content',
  summary: 'A banner in both languages, with the version that a change needs',
  params: idParams,
  response: staffBanner,
})

export const updateBanner = endpoint({
  id: 'content.bannerUpdate',
  method: 'PUT',
  path: `${path}/:id`,
  access: 'staff.content',
  summary: 'Changes a banner. A stale version answers 409',
  params: idParams,
  body: bannerChange,
  response: staffBanner,
})

export const removeBanner = endpoint({
  id: 'content.bannerRemove',
  method: 'DELETE',
  path: `${path}/:id`,
  access: 'staff.content',
  summary: 'Removes a banner and its image',
  params: idParams,
  response: ok,
})
