/** Queries on banners, for those who write them. */
import type { BannerKind } from '@waybill/contract/ground/enums'
import { sql } from 'kysely'
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
  version: number
}

type Now = { at: Date; timeZone: string }

const stateAt = (at: Date) => sql`case
  when starts_at > ${at}::timestamptz then 'upcoming'
  when ends_at <= ${at}::timestamptz then 'over'
  else 'on'
end`

/** The last day is included, so the period ends with the beginning of the next one. */
const columns = ({ at, timeZone }: Now) => sql`
  id, kind, title, body, image_url, link_url, position, version, ${stateAt(at)} as state,
  to_char(starts_at at time zone ${timeZone}::text, 'YYYY-MM-DD') as starts_on,
  to_char((ends_at at time zone ${timeZone}::text) - interval '1 microsecond', 'YYYY-MM-DD') as ends_on`

type Filter = { search: string | null; state: StaffBannerRow['state'] | null }

/** A page of banners in the order in which they are shown. */
export async function staffBannerPage(
  db: DbOrTx,
  { search, state }: Filter,
  now: Now,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: StaffBannerRow[]; total: number }> {
  const part = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const fits = sql`(${part}::text is null or title::text ilike ${part} or body::text ilike ${part})
    and (${state}::text is null or ${stateAt(now.at)} = ${state}::text)`
  const [{ rows }, totals] = await Promise.all([
    sql<StaffBannerRow>`
      select ${columns(now)}
      from banners
      where ${fits}
      order by position, starts_at desc, id
      offset ${offset}::int
      limit ${limit}::int`.execute(db),
    sql<{ total: number }>`select count(*) as total from banners where ${fits}`.execute(db),
  ])
  return { rows, total: totals.rows[0]?.total ?? 0 }
}

/** One banner. */
export async function findBanner(db: DbOrTx, id: string, now: Now): Promise<StaffBannerRow | undefined> {
  const { rows } = await sql<StaffBannerRow>`
    select ${columns(now)} from banners where id = ${id}::uuid`.execute(db)
  return rows[0]
}

/** Locks a banner until the transaction ends. Returns its version, and its picture that came with the portal. */
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

/** Inserts a banner, or replaces all of one. Days begin at midnight of the time zone. */
export async function saveBanner(trx: DbOrTx, id: string, set: BannerSet, timeZone: string, at: Date): Promise<void> {
  const body = set.body && JSON.stringify(set.body)
  await sql`
    insert into banners (
      id, kind, format, title, body, image_url, link_url, position, starts_at, ends_at, created_at
    )
    values (
      ${id}::uuid, ${set.kind}::text, ${set.format}::text, ${JSON.stringify(set.title)}::jsonb, ${body}::jsonb,
      ${set.imageUrl}::text, ${set.linkUrl}::text, ${set.position}::int,
      ${set.startsOn}::date::timestamp at time zone ${timeZone}::text,
      (${set.endsOn}::date + 1)::timestamp at time zone ${timeZone}::text, ${at}::timestamptz
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
