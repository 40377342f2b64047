/** Banners. */
import type { listBanners } from '@waybill/contract/content/content'
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Deps } from '../../deps.ts'
import { presentBanner } from './present.ts'
import { listBannersAt } from './queries.ts'

/** The present banners in their order, in the caller's language. */
export async function bannersNow(deps: Deps, locale: Locale): Promise<ResponseOf<typeof listBanners>> {
  const rows = await listBannersAt(deps.db, deps.clock.now())
  return { items: rows.map((row) => presentBanner(row, locale)) }
}
