/** Queries that find duplicates in the address book. */
import type { duplicateKinds } from '@waybill/contract/addresses/duplicates'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'

export type DuplicatePair = { first_id: string; second_id: string; kind: (typeof duplicateKinds)[number] }

/** The number of neighbours compared in each order. More would find little and cost as much again. */
const neighbours = 8

/** More pairs than anybody merges at once; the next ones appear as these are merged. */
const maxPairs = 4000

/**
 * Pairs of rows that are close together in an order. Every row is compared only with its next neighbours, so ten
 * thousand addresses with one phone cost no more than ten thousand different ones.
 */
function pairsBy(order: string, kind: DuplicatePair['kind'], condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select a.id as a_id, b.id as b_id, ${sql.lit(kind)} as kind
    from (
      select *, array_agg(book) over (
        order by ${sql.raw(order)}, id
        rows between 1 following and ${sql.lit(neighbours)} following
      ) as followers
      from book
    ) a
    cross join lateral unnest(a.followers)
      as b (id uuid, phone text, postcode text, name_key text, line_key text, line_numbers text)
    where ${condition}`
}

const sameNumbers = sql`a.line_numbers = b.line_numbers`

/**
 * Pairs of addresses that look alike, the most likely duplicates first, without those that the user has dismissed.
 *
 * - same: phone, postcode and first line agree;
 * - similar: phone and postcode agree, and the lines nearly do; or phone and line agree and the postcode differs; or
 *   postcode and name agree and the lines nearly do; or postcode and line agree and the names nearly do.
 */
export async function listDuplicatePairs(db: DbOrTx, accountId: AccountId): Promise<DuplicatePair[]> {
  const pairs = [
    pairsBy(
      'phone, postcode, line_key',
      'same',
      sql`a.phone = b.phone and a.postcode = b.postcode and a.line_key = b.line_key`,
    ),
    pairsBy(
      'phone, postcode, line_key',
      'similar',
      sql`a.phone = b.phone and a.postcode = b.postcode and similarity(a.line_key, b.line_key) >= 0.45
        and (${sameNumbers} or similarity(a.name_key, b.name_key) >= 0.5)`,
    ),
    pairsBy(
      'phone, line_key, postcode',
      'similar',
      sql`a.phone = b.phone and a.line_key = b.line_key and a.postcode <> b.postcode`,
    ),
    pairsBy(
      'postcode, name_key, line_key',
      'similar',
      sql`a.postcode = b.postcode and a.name_key = b.name_key and similarity(a.line_key, b.line_key) >= 0.5
        and ${sameNumbers}`,
    ),
    pairsBy(
      'postcode, line_key, name_key',
      'similar',
      sql`a.postcode = b.postcode and a.line_key = b.line_key and similarity(a.name_key, b.name_key) >= 0.45`,
    ),
  ]
  const { rows } = await sql<DuplicatePair>`
    with book as materialized (
      select id, phone, postcode, name_key, line_key, regexp_replace(line_key, '\\D', '', 'g') as line_numbers
      from addresses
      where account_id = ${accountId}::uuid
    ), pairs as (
      ${sql.join(pairs, sql` union all `)}
    ), distinct_pairs as (
      select least(a_id, b_id) as first_id, greatest(a_id, b_id) as second_id, min(kind) as kind
      from pairs
      group by 1, 2
    )
    select first_id, second_id, kind
    from distinct_pairs p
    where not exists (
      select
      from address_distinctions d
      where d.account_id = ${accountId}::uuid and d.first_id = p.first_id and d.second_id = p.second_id
    )
    order by kind, first_id, second_id
    limit ${maxPairs}::int`.execute(db)
  return rows
}

/** Marks every pair of these addresses of the account as different. */
export async function insertDistinctions(
  trx: DbOrTx,
  accountId: AccountId,
  ids: readonly string[],
  { by, at }: { by: string; at: Date },
): Promise<void> {
  await sql`
    insert into address_distinctions (account_id, first_id, second_id, created_by, created_at)
    select ${accountId}::uuid, a.id, b.id, ${by}::uuid, ${at}::timestamptz
    from unnest(${[...ids]}::uuid[]) as a (id)
    join unnest(${[...ids]}::uuid[]) as b (id) on a.id < b.id
    on conflict do nothing`.execute(trx)
}
