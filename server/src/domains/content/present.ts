/** Formats banners for the API. */
import type { banner } from '@waybill/contract/content/content'
import { fallbackLocale, type Locale } from '@waybill/contract/ground/constants'
import type * as z from 'zod/mini'
import type { BannerRow, Text } from './queries.ts'

/** The text in the requested language, or in the language that every text has. */
const textIn = (text: Text, locale: Locale): string => text[locale] ?? text[fallbackLocale] ?? ''

/** A banner in a language, with its image. */
export function presentBanner(row: BannerRow, locale: Locale, imageUrl: string | null): z.output<typeof banner> {
  return {
    id: row.id,
    kind: row.kind,
    format: row.format,
    title: textIn(row.title, locale),
    body: row.body ? textIn(row.body, locale) : null,
    imageUrl,
    linkUrl: row.link_url,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
  }
}
