/** Queries on the address book. */
import type { Address } from '@waybill/contract/addresses/addresses'
import type { AddressKind } from '@waybill/contract/ground/enums/enums'
import type { SortTerm } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { Override } from './contradictions.ts'

export type AddressRow = {
  id: string
  label: string | null
  kind: AddressKind
  contact_name: string
  company: string | null
  phone: string
  email: string | null
  line1: string
  line2: string | null
  postcode: string
  city: string
  state: string
  country: string
  residential: boolean
  remarks: string | null
  is_default: boolean
  overridden: Override[]
  is_new: boolean
  version: number
  created_at: Date
  updated_at: Date
}
/** The columns that the user writes. */
export type AddressContent = Omit<AddressRow, 'id' | 'version' | 'created_at' | 'updated_at'>

const columns = [
  'id',
  'label',
  'kind',
  'contact_name',
  'company',
  'phone',
  'email',
  'line1',
  'line2',
  'postcode',
  'city',
  'state',
  'country',
  'residential',
  'remarks',
  'is_default',
  'overridden',
  'is_new',
  'version',
  'created_at',
  'updated_at',
] as const

/** Filters the addresses of an account. `patterns` are LIKE patterns over the search text; all must match. */
export type AddressFilter = { accountId: AccountId; kind: Address['kind'] | null; patterns: readonly string[] }
export type Window = { sort: readonly SortTerm[]; offset: number; limit: number }

function conditions({ accountId, kind, patterns }: AddressFilter): RawBuilder<unknown> {
  const all = [sql`account_id = ${accountId}::uuid`]
  // Addresses of kind `both` count as sender and as receiver.
  if (kind) all.push(kind === 'both' ? sql`kind = 'both'` : sql`kind in (${kind}, 'both')`)
  for (const pattern of patterns) {
    // Without three consecutive letters or digits the trigram index would be scanned completely, across all accounts;
    // reading the account's rows is faster.
    const indexed = /[\p{L}\p{N}]{3}/u.test(pattern)
    all.push(indexed ? sql`search_text like ${pattern}` : sql`search_text || '' like ${pattern}`)
  }
  return sql.join(all, sql` and `)
}

/** Names and cities are sorted case-insensitively. */
const sortable: Record<string, RawBuilder<unknown>> = {
  contactName: sql`lower(contact_name)`,
  city: sql`lower(city)`,
  createdAt: sql`created_at`,
  updatedAt: sql`updated_at`,
}

/** The requested order, newest first by default. The id makes it unique, so that no page repeats or misses a row. */
function order(sort: readonly SortTerm[]): RawBuilder<unknown> {
  const terms = sort.length > 0 ? sort : [{ field: 'updatedAt', descending: true }]
  const direction = (descending: boolean | undefined) => sql.raw(descending ? 'desc' : 'asc')
  const parts = terms.flatMap(({ field, descending }) => {
    const expression = sortable[field]
    return expression ? [sql`${expression} ${direction(descending)}`] : []
  })
  return sql.join([...parts, sql`id ${direction(terms.at(-1)?.descending)}`])
}

/** A page of an account's addresses. Whole rows are read only for the page; a deep page only skips index entries. */
export async function listAddressRows(db: DbOrTx, filter: AddressFilter, window: Window): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    with page as (
      select id
      from addresses
      where ${conditions(filter)}
      order by ${order(window.sort)}
      offset ${window.offset}::bigint
      limit ${window.limit}::bigint
    )
    select ${sql.join(columns.map((column) => sql.ref(column)))}
    from addresses
    where account_id = ${filter.accountId}::uuid and id in (select id from page)
    order by ${order(window.sort)}`.execute(db)
  return rows
}

/** The next matching addresses by name, for reading all of them in batches. */
export async function nextAddressRows(
  db: DbOrTx,
  filter: AddressFilter,
  after: AddressRow | null,
  limit: number,
): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))}
    from addresses
    where ${conditions(filter)}
      ${after ? sql`and (lower(contact_name), id) > (lower(${after.contact_name}::text), ${after.id}::uuid)` : sql``}
    order by lower(contact_name), id
    limit ${limit}::int`.execute(db)
  return rows
}

/** The number of matching addresses. */
export async function countAddresses(db: DbOrTx, filter: AddressFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from addresses where ${conditions(filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Types that are narrower than the generated ones: a check of the table, and the content of a JSON column. */
type ColumnTypes = { kind: AddressKind; overridden: Override[] }

const ofAccount = (db: DbOrTx, accountId: AccountId) =>
  db.selectFrom('addresses').select(columns).where('account_id', '=', accountId).$narrowType<ColumnTypes>()

/** An address of the account. */
export async function findAddress(db: DbOrTx, accountId: AccountId, id: string): Promise<AddressRow | undefined> {
  return ofAccount(db, accountId).where('id', '=', id).executeTakeFirst()
}

/** Addresses of the account by id, unordered. */
export async function rowsById(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<AddressRow[]> {
  return ids.length === 0 ? [] : ofAccount(db, accountId).where('id', 'in', ids).execute()
}

/** The same, locked until the transaction ends, in a fixed order, so that two of these do not deadlock. */
export async function lockAddresses(trx: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<AddressRow[]> {
  return ofAccount(trx, accountId).where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** The default sender of the account. */
export async function findDefault(db: DbOrTx, accountId: AccountId): Promise<AddressRow | undefined> {
  return ofAccount(db, accountId).where('is_default', '=', true).executeTakeFirst()
}

/** Sender addresses with a label, last changed first. */
export async function labelledSenders(db: DbOrTx, accountId: AccountId, limit: number): Promise<AddressRow[]> {
  return ofAccount(db, accountId)
    .where('label', 'is not', null)
    .where('kind', 'in', ['sender', 'both'])
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute()
}

/** Inserts an address. */
export async function insertAddress(
  trx: DbOrTx,
  accountId: AccountId,
  content: AddressContent,
  creation: { id: string; by: string; at: Date },
): Promise<AddressRow> {
  return trx
    .insertInto('addresses')
    .values({
      account_id: accountId,
      id: creation.id,
      ...content,
      overridden: JSON.stringify(content.overridden),
      created_by: creation.by,
      created_at: creation.at,
      updated_at: creation.at,
    })
    .returning(columns)
    .$narrowType<ColumnTypes>()
    .executeTakeFirstOrThrow()
}

/** Inserts many addresses in one statement. */
export async function insertAddresses(
  trx: DbOrTx,
  accountId: AccountId,
  addresses: readonly { id: string; content: AddressContent }[],
  creation: { by: string; at: Date },
): Promise<void> {
  await trx
    .insertInto('addresses')
    .values(
      addresses.map(({ id, content }) => ({
        account_id: accountId,
        id,
        ...content,
        overridden: JSON.stringify(content.overridden),
        created_by: creation.by,
        created_at: creation.at,
        updated_at: creation.at,
      })),
    )
    .execute()
}

/** Updates an address; undefined if `version` is outdated or the address was deleted. */
export async function updateContent(
  trx: DbOrTx,
  accountId: AccountId,
  content: AddressContent,
  { id, version, at }: { id: string; version: number; at: Date },
): Promise<AddressRow | undefined> {
  return trx
    .updateTable('addresses')
    .set({ ...content, overridden: JSON.stringify(content.overridden), version: version + 1, updated_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning(columns)
    .$narrowType<ColumnTypes>()
    .executeTakeFirst()
}

/** Lets one transaction at a time change the default of the account. */
export async function lockDefault(trx: DbOrTx, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`addresses.default ${accountId}`}, 0))`.execute(trx)
}

/**
 * Removes the default flag of every other address of the account and raises their versions. A parallel change of the
 * default waits here, so that one default remains and neither gets a conflict.
 */
export async function clearDefault(trx: DbOrTx, accountId: AccountId, exceptId: string): Promise<void> {
  await lockDefault(trx, accountId)
  await trx
    .updateTable('addresses')
    .set((set) => ({ is_default: false, version: set('version', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .where('id', '<>', exceptId)
    .execute()
}

/** Deletes addresses of an account and returns how many there were. Locks them in one order, to avoid a deadlock. */
export async function deleteAddresses(db: DbOrTx, accountId: AccountId, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with locked as (
      select id from addresses where ${belongsTo(accountId)} and id = any(${ids}::uuid[]) order by id for update
    )
    delete from addresses a using locked where ${belongsTo(accountId, 'a')} and a.id = locked.id
    returning a.id`.execute(db)
  return rows.length
}
