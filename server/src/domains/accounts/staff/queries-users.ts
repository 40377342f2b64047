/** Queries on the users of customers. */

import { sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import type { DbOrTx } from '../../../db/pool.ts'

type CustomerUserRow = {
  id: string
  name: string
  email: string
  status: string
  last_login_at: Date | null
  account_name: string | null
  sessions: number
}

/** Users of customers by name, with their number of sessions. */
export async function customerUserPage(
  db: DbOrTx,
  { search, now }: { search: string | null; now: Date },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: CustomerUserRow[]; total: number }> {
  const part = search && containing(search)
  const from = sql`users u left join accounts a on a.id = u.account_id
    where u.kind = 'customer' and u.removed_at is null and (${part}::text is null
      or u.name ilike ${part} or coalesce(u.invited_email, u.email) ilike ${part} or a.name ilike ${part})`
  const [{ rows }, totals] = await Promise.all([
    sql<CustomerUserRow>`
      select u.id, u.name, coalesce(u.invited_email, u.email) as email, u.status, u.last_login_at,
        a.name as account_name, (
          select count(*) from sessions s where s.user_id = u.id and s.ended_at is null and s.expires_at > ${now}
        ) as sessions
      from ${from}
      order by lower(u.name), u.id
      offset ${offset}::int
      limit ${limit}::int`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${from}`.execute(db),
  ])
  return { rows, total: totals.rows[0]?.total ?? 0 }
}
