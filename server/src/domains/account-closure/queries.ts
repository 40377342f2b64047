/**
 * Queries on what an account leaves behind. The reasons are one statement, so that they are true at one moment; the
 * deletions are together, so that nobody who adds a table with personal data has to look for them.
 */
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'

export type Obstacles = {
  parcels: number
  outstanding: number
  outstanding_minor: number
  orders: number
  approvals: number
  pickups: number
  payments: number
  wallet_minor: number
  statement_minor: number
  cod_minor: number
  refunds: number
  refunds_minor: number
  members: number
}

/** What is unsettled or under way. `userId`: the user who asks. */
export async function findObstacles(db: DbOrTx, accountId: AccountId, userId: string): Promise<Obstacles> {
  const own = sql`account_id = ${accountId}::uuid`
  const { rows } = await sql<Obstacles>`
    select
      (
        select count(*)
        from parcels
        where ${own} and status in ('pending_pickup', 'pending_dropoff', 'sorting', 'inbound', 'outbound', 'delivering',
          'fail-to-deliver', 'reverse_pickup', 'recall')
      ) as parcels,
      (select count(*) from parcels where ${own} and status = 'outstanding') as outstanding,
      (
        select coalesce(sum(amount_due_minor), 0)::bigint
        from parcels
        where ${own} and status = 'outstanding'
      ) as outstanding_minor,
      (select count(*) from orders where ${own} and status in ('pending_payment', 'outstanding')) as orders,
      (select count(*) from order_approvals where ${own} and status = 'pending') as approvals,
      (
        select count(*)
        from pickup_requests
        where ${own} and status in ('new', 'open', 'in_progress') and cancelled_at is null
      ) as pickups,
      (select count(*) from payments where ${own} and status = 'pending') as payments,
      (
        select coalesce(sum(balance_minor), 0)::bigint
        from ledger_accounts
        where ${own} and kind = 'customer_wallet'
      ) as wallet_minor,
      (
        select coalesce(-sum(p.amount_minor), 0)::bigint
        from ledger_accounts l
        join journal_postings p on p.ledger_account_id = l.id
        where l.account_id = ${accountId}::uuid and l.kind = 'corporate_receivable'
      ) as statement_minor,
      (
        select coalesce(sum(amount_minor), 0)::bigint
        from cod_collections
        where ${own} and payout_id is null
      ) as cod_minor,
      (select count(*) from refunds where ${own} and status = 'requested') as refunds,
      (
        select coalesce(sum(amount_minor), 0)::bigint
        from refunds
        where ${own} and status = 'requested'
      ) as refunds_minor,
      (
        select count(*)
        from users
        where ${own} and removed_at is null and id <> ${userId}::uuid
      ) as members`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a select without a table answers one row')
  return row
}

/** Approvals that a user waits for. */
export async function countOwnApprovals(db: DbOrTx, accountId: AccountId, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from order_approvals
    where account_id = ${accountId}::uuid and status = 'pending' and requested_by = ${userId}::uuid`.execute(db)
  return rows[0]?.count ?? 0
}

/** Ids of drafts and parcels of the cart: they were never shipped. */
export async function listUnshipped(trx: Tx, accountId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id
    from parcels
    where account_id = ${accountId}::uuid and status in ('pending', 'incart')
    order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Deletes what no book needs: staff's notes about an account, and what it has stored for its own use. */
export async function deleteStored(trx: Tx, accountId: AccountId): Promise<void> {
  const tables = [
    'account_notes',
    'addresses',
    'address_requests',
    'address_import_rows',
    'address_imports',
    'bulk_rows',
    'bulk_batches',
    'parcel_search',
    'wallet_pins',
    'wallet_preferences',
    'webhooks',
  ] as const
  for (const table of tables) {
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}::uuid`.execute(trx)
  }
}

/** Revokes the account's API keys. The rows stay: what they paid is in the books. */
export async function revokeKeys(trx: Tx, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    update api_keys
    set revoked_at = ${at}::timestamptz
    where account_id = ${accountId}::uuid and revoked_at is null`.execute(trx)
}

/** Deletes what is known of a user's sign-ins. Sessions have been ended before. */
export async function deleteSignIns(trx: Tx, userId: string): Promise<void> {
  await sql`delete from identities where user_id = ${userId}::uuid`.execute(trx)
  await sql`delete from known_devices where user_id = ${userId}::uuid`.execute(trx)
  await sql`update sessions set user_agent = null, ip = null where user_id = ${userId}::uuid`.execute(trx)
}

/** Takes name, address and password from a user. The row stays: orders and the activity log refer to it. */
export async function anonymizeUser(trx: Tx, userId: string, at: Date): Promise<void> {
  await sql`
    update users
    set name = 'Former user', email = id || '@deleted.invalid', invited_email = null, phone = null,
      password_hash = null, photo_id = null, job_title = null, cost_centre = null, permissions = '{}',
      status = 'blacklisted', removed_at = ${at}::timestamptz, updated_at = ${at}::timestamptz, version = version + 1
    where id = ${userId}::uuid`.execute(trx)
}

/**
 * Takes name and numbers from an account and closes it. Orders and invoices keep the buyer that they were made with.
 */
export async function anonymizeAccount(trx: Tx, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    update accounts
    set name = 'Former customer', registration_number = null, tax_number = null, billing_address = null,
      consent_ip = null, status = 'blacklisted', closed_at = ${at}::timestamptz, updated_at = ${at}::timestamptz,
      version = version + 1
    where id = ${accountId}::uuid`.execute(trx)
}
