/** Queries on the conditions of companies. */

import { sql } from 'kysely'
import { containing } from '../../../db/conditions/like.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { AccountRow } from '../queries.ts'

/** Locks a company's conditions: two orders must not both use the same credit. */
export async function lockAccountRow(trx: DbOrTx, accountId: AccountId): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select * from accounts where id = ${accountId}::uuid for no key update`.execute(trx)
  return rows[0]
}

/** Stores a consent. The account holds the latest one, the activity log all of them. */
export async function saveConsent(
  trx: DbOrTx,
  accountId: AccountId,
  consent: { version: string; by: string; ip: string | null; at: Date },
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((value) => ({
      consent_version: consent.version,
      consent_at: consent.at,
      consent_by: consent.by,
      consent_ip: consent.ip,
      version: value('version', '+', 1),
      updated_at: consent.at,
    }))
    .where('id', '=', accountId)
    .execute()
}

/** A page of companies by name, and their number. `search` is a part of name or number. */
export async function companyPage(
  db: DbOrTx,
  { search, offset, limit }: { search: string | null; offset: number; limit: number },
): Promise<{ rows: AccountRow[]; total: number }> {
  let query = db.selectFrom('accounts').where('user_type', '=', 'corporate')
  if (search) {
    const part = containing(search)
    query = query.where((where) =>
      where.or([where('name', 'ilike', part), where('registration_number', 'ilike', part)]),
    )
  }
  const [rows, totals] = await Promise.all([
    query.selectAll().orderBy('name').orderBy('id').offset(offset).limit(limit).execute(),
    query.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(totals.total) }
}

/** The ids of all companies. */
export async function companyIds(db: DbOrTx): Promise<AccountId[]> {
  const rows = await db.selectFrom('accounts').select('id').where('user_type', '=', 'corporate').orderBy('id').execute()
  return rows.map(({ id }) => id as AccountId)
}

/** False if `version` is outdated. */
export async function updateBillingDetails(
  trx: DbOrTx,
  id: AccountId,
  set: {
    name: string
    registrationNumber: string | null
    taxNumber: string | null
    address: string | null
    version: number
  },
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('accounts')
    .set({
      name: set.name,
      registration_number: set.registrationNumber,
      tax_number: set.taxNumber,
      billing_address: set.address,
      version: set.version + 1,
      updated_at: at,
    })
    .where('id', '=', id)
    .where('version', '=', set.version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
