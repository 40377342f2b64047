/** Queries on the conditions of accounts. */
import type { DiscountType, UserType } from '@waybill/contract/ground/enums/enums'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

/** An account's conditions. */
export type ConditionsRow = {
  id: string
  name: string
  userType: UserType
  /** The owner's address. */
  email: string | null
  rateCardCode: string | null
  discountType: DiscountType | null
  discountValue: number
  version: number
}

const conditions = sql`
  select a.id, a.name, a.user_type as "userType", o.email, a.rate_card_code as "rateCardCode",
    a.discount_type as "discountType", a.discount_value as "discountValue", a.version
  from accounts a
  left join lateral (
    select u.email
    from users u
    where u.account_id = a.id and u.is_owner and u.removed_at is null
    order by u.created_at
    limit 1
  ) o on true`

type Filter = { pattern: string | null; special: boolean | null }

const special = sql`(a.rate_card_code is not null or a.discount_type is not null)`

/** A page of accounts, those with individual conditions first, then by name. */
export async function listConditionRows(
  db: DbOrTx,
  { pattern, special: only }: Filter,
  { descending, offset, limit }: { descending: boolean; offset: number; limit: number },
): Promise<{ rows: ConditionsRow[]; total: number }> {
  const all = [sql`true`]
  if (pattern !== null) {
    all.push(sql`(lower(a.name) like ${pattern} or exists (
      select from users s where s.account_id = a.id and lower(s.email) like ${pattern}))`)
  }
  if (only !== null) all.push(only ? special : sql`not ${special}`)
  const where = sql`where ${sql.join(all, sql` and `)}`
  const direction = sql.raw(descending ? 'desc' : 'asc')
  const [page, count] = await Promise.all([
    sql<ConditionsRow>`${conditions} ${where} order by ${special} desc, lower(a.name) ${direction}, a.id
      offset ${offset} limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from accounts a ${where}`.execute(db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

export type TermsSet = {
  pricing?: { rateCardCode: string | null; discountType: DiscountType | null; discountValue: number } | undefined
  credit?: { limitMinor: number; termsDays: number } | undefined
}

/** Updates the given parts. False if `version` is outdated. */
export async function updateAccountTerms(
  trx: DbOrTx,
  id: string,
  version: number,
  { pricing, credit }: TermsSet,
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set((value) => ({
      ...(pricing && {
        rate_card_code: pricing.rateCardCode,
        discount_type: pricing.discountType,
        discount_value: pricing.discountValue,
      }),
      ...(credit && { credit_limit_minor: credit.limitMinor, credit_terms_days: credit.termsDays }),
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The number of accounts per assigned rate card, by its code. */
export async function countByRateCard(db: DbOrTx): Promise<{ code: string; accounts: number }[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(({ fn }) => ['rate_card_code as code', fn.countAll<number>().as('accounts')])
    .where('rate_card_code', 'is not', null)
    .groupBy('rate_card_code')
    .execute()
  return rows.flatMap(({ code, accounts }) => (code === null ? [] : [{ code, accounts }]))
}
