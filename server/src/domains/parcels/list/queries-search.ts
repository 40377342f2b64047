import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../http/caller.ts'
import type { Look } from '../rules.ts'

/** A look-up that finds so many is not put in order any more: then the list is read in its order, and searched. */
export const broadFrom = 3_000

/** What begins with a text, by an index of patterns; with `like`, a plan that holds for any text could not use it. */
export function startsWith(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  return sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\u{10ffff}`}`
}

/**
 * The account in a way that no index of it fits, where another condition finds fewer: a plan for the average account
 * would rather read all that the account has.
 */
export const belongsTo = (accountId: AccountId): RawBuilder<unknown> =>
  sql`account_id is not distinct from ${accountId}::uuid`

const reversed = (text: string) => [...text].reverse().join('')

/**
 * The condition behind `parcel_terms` of migration 0034: each of these words, whole, or its beginning or the end of one
 * with digits. They are letters and digits alone.
 */
function termsCondition(accountId: AccountId, terms: readonly string[], whole: boolean): RawBuilder<unknown> {
  const key = accountId.slice(-6)
  const lexeme = (term: string) => {
    if (whole) return `'${key}${term}'`
    const beginning = `'${key}${term}':*`
    return /\d/.test(term) ? `(${beginning} | '${key}<${reversed(term)}':*)` : beginning
  }
  return sql`parcel_terms(account_id, words) @@ ${terms.map(lexeme).join(' & ')}::tsquery and ${belongsTo(accountId)}`
}

/** The ids that a look-up finds, `broadFrom` and one more at most, in no order. */
export function searchHits(accountId: AccountId, look: Look): RawBuilder<unknown> {
  const of = sql`account_id = ${accountId}::uuid`
  const most = sql`limit ${sql.lit(broadFrom + 1)}`
  switch (look.by) {
    case 'number':
      return sql`select id from parcels where ${belongsTo(accountId)} and tracking_number between ${look.from} and ${look.to} ${most}`
    case 'numbers':
      return sql`select id from parcels where ${belongsTo(accountId)} and tracking_number = any(${[...look.numbers]}::text[]) ${most}`
    case 'phone':
      return sql`select id from parcel_search where ${of} and receiver_phone = ${look.phone} ${most}`
    case 'city':
      return sql`select id from parcel_search where ${of} and receiver_city = ${look.city} ${most}`
    case 'terms':
      return sql`select id from parcel_search where ${termsCondition(accountId, look.terms, look.whole)} ${most}`
    case 'digits': {
      const end = reversed(look.digits)
      const parts = [sql`select id from parcel_search where ${termsCondition(accountId, [look.part], false)}`]
      if (look.digits.length <= 11)
        parts.push(
          sql`select id from parcels where ${of} and tracking_number is not null and ${startsWith(sql`reverse(tracking_number)`, end)}`,
        )
      if (look.digits.length <= 6)
        parts.push(sql`select id from parcel_search where ${of} and ${startsWith(sql`receiver_postcode`, look.digits)}`)
      return sql`select id from (${sql.join(
        parts.map((part) => sql`(${part} ${most})`),
        sql` union `,
      )}) as parts ${most}`
    }
  }
}

/** The same look-up as conditions on `p` and `s`, for a list that is read in its order because too many are found. */
export function broadSearch(look: Look): { s: RawBuilder<unknown>[]; p: RawBuilder<unknown>[] } {
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
