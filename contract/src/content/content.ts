/** Banners and news on the home page. */
import * as z from 'zod/mini'
import { endpoint } from '../ground/endpoint.ts'
import { bannerKindLabels, contentFormatLabels } from '../ground/enums/enums.ts'
import { labelValues } from '../ground/enums/labels.ts'
import { id, instant } from '../ground/fields.ts'

export const banner = z.object({
  id,
  kind: z.enum(labelValues(bannerKindLabels)),
  format: z.enum(labelValues(contentFormatLabels)),
  title: z.string(),
  body: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  linkUrl: z.nullable(z.string()),
  startsAt: instant,
  endsAt: z.nullable(instant),
})

/** The maximum number of banners that customers see at once. */
export const shownBanners = 3

export const listBanners = endpoint({
  id: 'content.banners',
  method: 'GET',
  path: '/api/customer/banners',
  access: 'public',
  summary: "The first three banners that are on now, in their order, in the caller's language",
  response: z.object({ items: z.array(banner) }),
})
