/** Queries for the list of users. */
import { sql } from 'kysely'
import { readPage } from '../../../db/page.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { UserKind } from '../queries.ts'

export type PortalUserRow = {
  id: string
  kind: UserKind
  name: string
  email: string
  status: string
  staff_type: string | null
  staff_role: string | null
  station_id: string | null
  last_login_at: Date | null
  account_name: string | null
  sessions: number
  has_factor: boolean
}

/** Users of a kind by name, with their number of sessions. */
export async function portalUserPage(
  db: DbOrTx,
  { kind, search, now }: { kind: UserKind; search: string | null; now: Date },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: PortalUserRow[]; total: number }> {
  const part = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const from = sql`users u left join accounts a on a.id = u.account_id
    where u.kind = ${kind}::text and u.removed_at is null and (${part}::text is null
      or u.name ilike ${part} or coalesce(u.invited_email, u.email) ilike ${part} or a.name ilike ${part})`
  return readPage(
    db,
    sql<PortalUserRow>`
      select u.id, u.kind, u.name, coalesce(u.invited_email, u.email) as email, u.status, u.staff_type, u.staff_role,
        u.station_id, u.last_login_at, a.name as account_name,
        (
          select count(*)
          from sessions s
          where s.user_id = u.id and s.ended_at is null and s.expires_at > ${now}
        ) as sessions,
        exists (select 1 from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_factor
      from ${from}
      order by lower(u.name), u.id
      offset ${offset}::int
      limit ${limit}::int`,
    from,
  )
}
