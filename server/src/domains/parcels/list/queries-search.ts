// SQL of the search in the parcels list. Migrations 0026 and 0034 have its tables and indexes.
import { type RawBuilder, sql } from 'kysely'
import { belongsTo } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { SearchPath } from '../rules.ts'

/** A search with more hits is not sorted: the list is read in its sort order instead, and each row is checked. */
export const broadFrom = 3_000

/** `column` begins with `text`. A generic plan cannot use an index for `like`, but it can for these operators. */
export function startsWith(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  return sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\u{10ffff}`}`
}

const reverse = (text: string) => [...text].reverse().join('')

/**
 * The full-text condition on `parcel_terms` (migration 0034). Each term matches whole, or as the beginning of a word; a
 * term with digits also as the end of one. Terms consist of letters and digits only.
 */
function termsCondition(accountId: AccountId, terms: readonly string[], whole: boolean): RawBuilder<unknown> {
  const key = accountId.slice(-6)
  const lexeme = (term: string) => {
    if (whole) return `'${key}${term}'`
    const prefix = `'${key}${term}':*`
    return /\d/.test(term) ? `(${prefix} | '${key}<${reverse(term)}':*)` : prefix
  }
  return sql`parcel_terms(account_id, words) @@ ${terms.map(lexeme).join(' & ')}::tsquery and ${belongsTo(accountId)}`
}

/** Selects the ids that a search finds, at most `broadFrom` plus one, unordered. */
export function searchHits(accountId: AccountId, look: SearchPath): RawBuilder<unknown> {
  const ofAccount = sql`account_id = ${accountId}::uuid`
  const limit = sql`limit ${sql.lit(broadFrom + 1)}`
  const inParcels = (condition: RawBuilder<unknown>) => sql`select id from parcels where ${condition}`
  const inSearch = (condition: RawBuilder<unknown>) => sql`select id from parcel_search where ${condition}`
  switch (look.by) {
    case 'number': {
      const between = sql`tracking_number between ${look.from} and ${look.to}`
      return sql`${inParcels(sql`${belongsTo(accountId)} and ${between}`)} ${limit}`
    }
    case 'numbers': {
      const among = sql`tracking_number = any(${[...look.numbers]}::text[])`
      return sql`${inParcels(sql`${belongsTo(accountId)} and ${among}`)} ${limit}`
    }
    case 'phone':
      return sql`${inSearch(sql`${ofAccount} and receiver_phone = ${look.phone}`)} ${limit}`
    case 'city':
      return sql`${inSearch(sql`${ofAccount} and receiver_city = ${look.city}`)} ${limit}`
    case 'terms':
      return sql`${inSearch(termsCondition(accountId, look.terms, look.whole))} ${limit}`
    case 'digits': {
      const selects = [inSearch(termsCondition(accountId, [look.part], false))]
      if (look.digits.length <= 11) {
        const endsWith = startsWith(sql`reverse(tracking_number)`, reverse(look.digits))
        selects.push(inParcels(sql`${ofAccount} and tracking_number is not null and ${endsWith}`))
      }
      if (look.digits.length <= 6) {
        selects.push(inSearch(sql`${ofAccount} and ${startsWith(sql`receiver_postcode`, look.digits)}`))
      }
      const union = sql.join(
        selects.map((select) => sql`(${select} ${limit})`),
        sql` union `,
      )
      return sql`select id from (${union}) as parts ${limit}`
    }
  }
}

/** A search with too many hits as conditions on `p` and `s`, for a list that is read in its sort order. */
export function broadSearch(look: SearchPath): { s: RawBuilder<unknown>[]; p: RawBuilder<unknown>[] } {
  const contains = (text: string) => sql`s.words like ${`%${text}%`}`
  switch (look.by) {
    case 'number':
      return { s: [], p: [sql`p.tracking_number between ${look.from} and ${look.to}`] }
    case 'numbers':
      return { s: [], p: [sql`p.tracking_number = any(${[...look.numbers]}::text[])`] }
    case 'phone':
      return { s: [sql`s.receiver_phone = ${look.phone}`], p: [] }
    case 'city':
      return { s: [sql`s.receiver_city = ${look.city}`], p: [] }
    case 'terms':
      return { s: look.terms.map(contains), p: [] }
    case 'digits':
      return { s: [contains(look.part)], p: [] }
  }
}
