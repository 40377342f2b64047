/** Queries on the ledger and on PINs. */

import { countLimit } from '@waybill/contract/ground/paging'
import type { Movement } from '@waybill/contract/wallet/wallet'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { dayBegin, dayEnd } from '../../db/conditions/local-days.ts'
import { readPage } from '../../db/page.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { WalletPins } from '../../db/schema.ts'
import type { Write } from '../../db/writes.ts'
import type { AccountId } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { insertEvents } from '../../outbox/outbox.ts'
import type { BookKind } from './rules.ts'

export type LedgerAccount = {
  id: string
  kind: BookKind
  account_id: string | null
  station_id: string | null
  currency: string
  guarded: boolean
}

/** The ledger accounts that each transaction has created. */
const accountsCreatedIn = new WeakMap<DbOrTx, Set<string>>()

/**
 * Creates missing ledger accounts. Returns the ids of those that existed before the transaction: only they are certain
 * to survive a rollback.
 */
export async function ensureLedgerAccounts(
  trx: DbOrTx,
  accounts: readonly LedgerAccount[],
  at: Date,
): Promise<string[]> {
  const newAccounts = await trx
    .insertInto('ledger_accounts')
    .values(accounts.map((account) => ({ ...account, created_at: at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  const fresh = accountsCreatedIn.get(trx) ?? new Set<string>()
  for (const { id } of newAccounts) fresh.add(id)
  if (trx.isTransaction) accountsCreatedIn.set(trx, fresh)
  return accounts.map(({ id }) => id).filter((id) => !fresh.has(id))
}

export type NewEntry = {
  id: string
  kind: Movement['kind']
  account_id: string | null
  order_id: string | null
  payment_id: string | null
  reference: string | null
  created_by: string | null
  at: Date
}
export type NewPosting = { line: number; ledger_account_id: string; account_id: string | null; amount_minor: number }

/**
 * A PIN that matched when its row was read. The entry is written only if the row has not changed since: not replaced,
 * not locked, no wrong attempt counted.
 */
export type PinCheck = { account_id: string; pin_mac: Buffer }

/** The PIN's row changed between its check and the entry. `withPin` checks again. */
export class PinChangedError extends AppError {
  constructor() {
    super('pin_locked', { retryAfter: 1 })
  }
}

/** An entry to write. `wallets`: the accounts whose credits it moves. With `pin` only while that PIN is valid. */
export type EntryRows = {
  entry: NewEntry
  postings: readonly NewPosting[]
  currency: string
  wallets: readonly string[]
  pin: PinCheck | null
}

/**
 * Writes entries, their postings, and the events of their wallets. Postings are in the order of their ledger accounts,
 * or two statements could deadlock. Triggers move guarded balances and refuse overdrafts (constraint
 * ledger_accounts_no_overdraft) and entries that do not sum to zero. The number of postings is checked: an entry has
 * none if its PIN is no longer valid.
 */
export function entriesWrite(entries: readonly EntryRows[]): Write {
  const rows = entries.map(({ entry, pin }) => ({
    ...entry,
    pin_account_id: pin?.account_id ?? null,
    pin_mac: pin?.pin_mac.toString('base64') ?? null,
  }))
  const postings = entries.flatMap((rowsOfEntry) =>
    rowsOfEntry.postings.map((posting) => ({
      ...posting,
      entry_id: rowsOfEntry.entry.id,
      currency: rowsOfEntry.currency,
    })),
  )
  const wallets = entries.flatMap(({ entry, wallets: owners }) =>
    owners.map((owner) => ({ entry_id: entry.id, owner })),
  )
  const ctes = sql`
    entries_made as (
      insert into journal_entries (id, kind, account_id, order_id, payment_id, reference, created_by, created_at)
      select id, kind, account_id, order_id, payment_id, reference, created_by, at
      from json_to_recordset(${JSON.stringify(rows)}::json) as t(
        id uuid, kind text, account_id uuid, order_id uuid, payment_id uuid, reference text, created_by uuid,
        at timestamptz, pin_account_id uuid, pin_mac text)
      where pin_account_id is null
        or exists (
          select 1
          from wallet_pins w
          where w.account_id = pin_account_id
            and w.pin_mac = decode(t.pin_mac, 'base64')
            and w.locked_until is null
            and w.attempts = 0
        )
      returning id, created_at
    ), entries_emitted as (
      ${insertEvents(
        'wallet.moved',
        sql`jsonb_build_object('accountId', w.owner)`,
        sql`entries_made e
      join json_to_recordset(${JSON.stringify(wallets)}::json) as w(entry_id uuid, owner uuid) on w.entry_id = e.id`,
      )}
    ), entry_postings as (
      insert into journal_postings (entry_id, line, ledger_account_id, account_id, amount_minor, currency, created_at)
      select e.id, p.line, p.ledger_account_id, p.account_id, p.amount_minor, p.currency, e.created_at
      from entries_made e
      join json_to_recordset(${JSON.stringify(postings)}::json) as p(
        entry_id uuid, line smallint, ledger_account_id uuid, account_id uuid, amount_minor bigint, currency text)
      on p.entry_id = e.id
      order by p.ledger_account_id, e.id
      returning line
    )`
  return { ctes, cte: 'entry_postings', expected: postings.length, refused: () => new PinChangedError() }
}

/** Balances of guarded accounts; an account without entries is omitted. */
export async function readBalances(db: DbOrTx, ledgerAccountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; balance_minor: number }>`
    select id, balance_minor from ledger_accounts where id = any(${ledgerAccountIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, balance_minor }) => [id, balance_minor]))
}

export type PinRow = Pick<Selectable<WalletPins>, 'salt' | 'pin_mac' | 'attempts' | 'locked_until'>

/** `PinRow` as JSON. */
export type PinJson = { salt: string; pin_mac: string; attempts: number; locked_until: string | null }

/** SQL of the PIN's row of an account as JSON, for a statement that reads more; null: no PIN. */
export function pinJson(accountId: AccountId): RawBuilder<PinJson | null> {
  return sql`(
    select json_build_object(
      'salt', encode(salt, 'base64'), 'pin_mac', encode(pin_mac, 'base64'), 'attempts', attempts,
      'locked_until', locked_until)
    from wallet_pins
    where account_id = ${accountId}::uuid
  )`
}

/** The row that `pinJson` read. */
export function parsePin(json: PinJson | null): PinRow | undefined {
  if (json === null) return undefined
  return {
    salt: Buffer.from(json.salt, 'base64'),
    pin_mac: Buffer.from(json.pin_mac, 'base64'),
    attempts: json.attempts,
    locked_until: json.locked_until === null ? null : new Date(json.locked_until),
  }
}

/** The PIN's row of an account. */
export async function findPin(db: DbOrTx, accountId: AccountId): Promise<PinRow | undefined> {
  return db
    .selectFrom('wallet_pins')
    .select(['salt', 'pin_mac', 'attempts', 'locked_until'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/**
 * Counts a wrong PIN, and locks the wallet at the last allowed one. Attempts before an expired lock no longer count.
 * Null if the wallet is already locked.
 */
export async function countWrongPin(
  db: DbOrTx,
  accountId: AccountId,
  limit: { allowed: number; now: Date; until: Date },
): Promise<{ attempts: number; locked_until: Date | null } | null> {
  const attempts = sql`case when locked_until is null then attempts + 1 else 1 end`
  const { rows } = await sql<{ attempts: number; locked_until: Date | null }>`
    update wallet_pins
    set attempts = ${attempts},
      locked_until = case when ${attempts} >= ${limit.allowed}::int then ${limit.until}::timestamptz end
    where account_id = ${accountId}::uuid and (locked_until is null or locked_until <= ${limit.now}::timestamptz)
    returning attempts, locked_until`.execute(db)
  return rows[0] ?? null
}

/**
 * Resets wrong attempts after a right PIN. False if the row changed since it was read (`attempts`): another attempt, a
 * new PIN, or a lock.
 */
export async function resetWrongPins(db: DbOrTx, accountId: AccountId, readPin: PinRow): Promise<boolean> {
  const { rows } = await sql`
    update wallet_pins
    set attempts = 0, locked_until = null
    where account_id = ${accountId}::uuid
      and pin_mac = ${readPin.pin_mac}::bytea
      and attempts = ${readPin.attempts}::int
      and locked_until is not distinct from ${readPin.locked_until}::timestamptz
    returning 1`.execute(db)
  return rows.length > 0
}

/** Replaces a PIN's MAC, unless it changed since it was read. */
export async function replacePinMac(db: DbOrTx, accountId: AccountId, before: Buffer, after: Buffer): Promise<void> {
  await db
    .updateTable('wallet_pins')
    .set({ pin_mac: after })
    .where('account_id', '=', accountId)
    .where('pin_mac', '=', before)
    .execute()
}

export type NewPin = { account_id: AccountId; salt: Buffer; pin_mac: Buffer; updated_by: string; updated_at: Date }

/** Inserts a PIN. False if there already is one. */
export async function insertPin(trx: DbOrTx, pin: NewPin): Promise<boolean> {
  const newPin = await trx
    .insertInto('wallet_pins')
    .values(pin)
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst()
  return newPin !== undefined
}

/** Replaces the PIN and lifts a lock. False if there is none. */
export async function replacePin(trx: DbOrTx, pin: NewPin): Promise<boolean> {
  const { account_id, ...values } = pin
  const updatedPin = await trx
    .updateTable('wallet_pins')
    .set({ ...values, attempts: 0, locked_until: null })
    .where('account_id', '=', account_id)
    .returning('account_id')
    .executeTakeFirst()
  return updatedPin !== undefined
}

export type WalletMovementRow = {
  id: string
  at: Date
  kind: Movement['kind']
  reference: string | null
  order_id: string | null
  amount_minor: number
  balance_after_minor: number
}

export type MovementFilter = {
  kind: Movement['kind'] | null
  /** First and last day in `timeZone`. */
  from: string | null
  to: string | null
  timeZone: string
  ascending: boolean
  offset: number
  limit: number
}

/** Movements of a wallet in the order of posting, and the number that match the filter. */
export async function listMovementRows(
  db: DbOrTx,
  ledgerAccountId: string,
  filter: MovementFilter,
): Promise<{ rows: WalletMovementRow[]; total: number }> {
  const fits = sql`p.ledger_account_id = ${ledgerAccountId}::uuid
      and (${filter.kind}::text is null or e.kind = ${filter.kind}::text)
      and (${filter.from}::date is null or p.created_at >= ${dayBegin(filter.from, filter.timeZone)})
      and (${filter.to}::date is null or p.created_at < ${dayEnd(filter.to, filter.timeZone)})`
  const source = sql`journal_postings p join journal_entries e on e.id = p.entry_id where ${fits}`
  const { rows, total } = await readPage(
    db,
    sql<WalletMovementRow>`
      select e.id, p.created_at as at, e.kind, e.reference, e.order_id, p.amount_minor, p.balance_after_minor
      from ${source}
      order by p.seq ${sql.raw(filter.ascending ? 'asc' : 'desc')}
      limit ${filter.limit} offset ${filter.offset}`,
    source,
    countLimit,
  )
  return { rows, total: rows.length > 0 ? Math.max(total, filter.offset + rows.length) : total }
}
