/** Queries on banners, for staff who manage them. */

import { shownBanners } from '@waybill/contract/content/content'
import type { BannerKind } from '@waybill/contract/ground/enums/enums'
import { sql } from 'kysely'
import { containing } from '../../db/conditions/like.ts'
import { dayBegin, dayEnd } from '../../db/conditions/local-days.ts'
import type { ReadFrom } from '../../db/keyset.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { Text } from './queries.ts'

export type StaffBannerRow = {
  id: string
  kind: BannerKind
  title: Text
  body: Text | null
  image_url: string | null
  link_url: string | null
  position: number
  starts_on: string
  ends_on: string | null
  state: 'on' | 'upcoming' | 'over'
  shown: boolean
  version: number
}

type Now = { at: Date; timeZone: string }

const stateAt = (at: Date) => sql`case
  when starts_at > ${at}::timestamptz then 'upcoming'
  when ends_at <= ${at}::timestamptz then 'over'
  else 'on'
end`

/** The last day is included, so the period ends when the next day begins. */
const columns = ({ at, timeZone }: Now) => sql`
  id, kind, title, body, image_url, link_url, position, version, ${stateAt(at)} as state,
  to_char(starts_at at time zone ${timeZone}::text, 'YYYY-MM-DD') as starts_on,
  to_char((ends_at at time zone ${timeZone}::text) - interval '1 microsecond', 'YYYY-MM-DD') as ends_on,
  id in (
    select id from banners where ${stateAt(at)} = 'on' order by position, starts_at desc, id limit ${shownBanners}::int
  ) as shown`

type Filter = { search: string | null; state: StaffBannerRow['state'] | null }

function bannerFilter({ search, state }: Filter, at: Date) {
  const part = search && containing(search)
  return sql`(${part}::text is null or title::text ilike ${part} or body::text ilike ${part})
    and (${state}::text is null or ${stateAt(at)} = ${state}::text)`
}

/** The position of a banner in a cursor: its order, and the seconds of its beginning as a text. */
export const placePattern = /^-?\d{1,5} -?\d{1,12}(?:\.\d{1,6})?$/

/**
 * Banners in the order in which customers see them: by position, and within a position the one that started last. The
 * start is negated, so that one row comparison finds the next page.
 */
export async function listStaffBannerRows(
  db: DbOrTx,
  filter: Filter,
  now: Now,
  { key, backward, limit }: ReadFrom,
): Promise<(StaffBannerRow & { at_exactly: string })[]> {
  const start = sql`(-extract(epoch from starts_at))`
  const [position, seconds] = key?.at.split(' ') ?? []
  const compare = sql.raw(backward ? '<' : '>')
  const beyond = key
    ? sql`and (position, ${start}, id) ${compare} (${position}::int, ${seconds}::numeric, ${key.id}::uuid)`
    : sql``
  const order = sql.raw(backward ? 'desc' : 'asc')
  const { rows } = await sql<StaffBannerRow & { at_exactly: string }>`
    select ${columns(now)}, position || ' ' || ${start}::text as at_exactly
    from banners
    where ${bannerFilter(filter, now.at)} ${beyond}
    order by position ${order}, ${start} ${order}, id ${order}
    limit ${limit}::int`.execute(db)
  return rows
}

/** The number of matching banners. */
export async function countStaffBanners(db: DbOrTx, filter: Filter, { at }: Now): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from banners where ${bannerFilter(filter, at)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** One banner. */
export async function findBanner(db: DbOrTx, id: string, now: Now): Promise<StaffBannerRow | undefined> {
  const { rows } = await sql<StaffBannerRow>`
    select ${columns(now)} from banners where id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Locks a banner until the transaction ends. Returns its version, and its built-in picture. */
export async function lockBanner(
  trx: DbOrTx,
  id: string,
): Promise<{ version: number; image_url: string | null } | undefined> {
  return trx.selectFrom('banners').select(['version', 'image_url']).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type BannerSet = {
  kind: BannerKind
  format: 'text' | 'image'
  title: Text
  body: Text | null
  imageUrl: string | null
  linkUrl: string | null
  position: number
  startsOn: string
  endsOn: string | null
}

/** Inserts or replaces a banner. Days begin at midnight of the time zone. */
export async function saveBanner(trx: DbOrTx, id: string, set: BannerSet, timeZone: string, at: Date): Promise<void> {
  const body = set.body && JSON.stringify(set.body)
  await sql`
    insert into banners (
      id, kind, format, title, body, image_url, link_url, position, starts_at, ends_at, created_at
    )
    values (
      ${id}::uuid, ${set.kind}::text, ${set.format}::text, ${JSON.stringify(set.title)}::jsonb, ${body}::jsonb,
      ${set.imageUrl}::text, ${set.linkUrl}::text, ${set.position}::int,
      ${dayBegin(set.startsOn, timeZone)}, ${dayEnd(set.endsOn, timeZone)}, ${at}::timestamptz
    )
    on conflict (id) do update set kind = excluded.kind, format = excluded.format, title = excluded.title,
      body = excluded.body, image_url = excluded.image_url, link_url = excluded.link_url,
      position = excluded.position, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      version = banners.version + 1`.execute(trx)
}

/** Deletes a banner. False if there is none. */
export async function deleteBanner(trx: DbOrTx, id: string): Promise<boolean> {
  const result = await trx.deleteFrom('banners').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
