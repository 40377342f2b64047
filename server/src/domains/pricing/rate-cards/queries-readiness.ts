/** Whether the common rate card has a price for a domestic parcel. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

export type PriceReadiness = {
  hasCard: boolean
  /** Whether a version is valid today or later. */
  isPublished: boolean
  /** The first day (`YYYY-MM-DD`, never past) with a price for an open domestic service; null: none. */
  pricedFrom: string | null
}

/** The readiness of the card with `code`, from `today` (`YYYY-MM-DD`) on. */
export async function findPriceReadiness(db: DbOrTx, code: string, today: string): Promise<PriceReadiness> {
  const holds = sql`
    c.code = ${code} and c.status = 'published' and (c.valid_to is null or c.valid_to >= ${today}::date)`
  const { rows } = await sql<PriceReadiness>`
    select exists (select from rate_cards c where c.code = ${code}) as "hasCard",
      exists (select from rate_cards c where ${holds}) as "isPublished",
      (
        select min(greatest(c.valid_from, ${today}::date))
        from rate_cards c
        where ${holds} and exists (
          select
          from rate_lines l
          join services s using (scope, carrier, service_type)
          where l.rate_card_id = c.id and l.scope = 'domestic' and s.status = 'open'
        )
      ) as "pricedFrom"`.execute(db)
  return rows[0] ?? { hasCard: false, isPublished: false, pricedFrom: null }
}
