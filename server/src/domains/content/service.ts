/** Banners. */
import { type listBanners, shownBanners } from '@waybill/contract/content/content'
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Deps } from '../../deps.ts'
import { listAttachmentsBySubject } from '../attachments/service.ts'
import { presentBanner } from './present.ts'
import { listBannersAt } from './queries.ts'

/** The subject kind that claims the images of banners. */
export const bannerSubject = 'banner'

/** The first current banners in their order, in the caller's language. */
export async function bannersNow(deps: Deps, locale: Locale): Promise<ResponseOf<typeof listBanners>> {
  const rows = await listBannersAt(deps.db, deps.clock.now(), shownBanners)
  const ids = rows.map(({ id }) => id)
  const images = await listAttachmentsBySubject(deps, deps.db, bannerSubject, ids)
  return { items: rows.map((row) => presentBanner(row, locale, images.get(row.id)?.[0]?.link ?? row.image_url)) }
}
