/** Queries on banners. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { BannerKind, ContentFormat } from '@waybill/contract/ground/enums/enums'
import type { Selectable } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Banners } from '../../db/schema.ts'

/** A text by language; a language may be missing. */
export type Text = Partial<Record<Locale, string>>

export type BannerRow = Pick<Selectable<Banners>, 'id' | 'image_url' | 'link_url' | 'starts_at' | 'ends_at'> & {
  kind: BannerKind
  format: ContentFormat
  title: Text
  body: Text | null
}

/** The first `limit` banners whose period includes `at`, in their order. */
export async function listBannersAt(db: DbOrTx, at: Date, limit: number): Promise<BannerRow[]> {
  const rows = await db
    .selectFrom('banners')
    .select(['id', 'kind', 'format', 'title', 'body', 'image_url', 'link_url', 'starts_at', 'ends_at'])
    .where('starts_at', '<=', at)
    .where((query) => query.or([query('ends_at', 'is', null), query('ends_at', '>', at)]))
    .orderBy('position')
    .orderBy('starts_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  // The table's checks allow no other values.
  return rows as unknown as BannerRow[]
}
