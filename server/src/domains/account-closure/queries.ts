/**
 * Queries for closing an account. The obstacles are read in one statement, so that they are consistent. All deletions
 * are in two files, so that a new table with personal data is easy to add: here what ends at once, in
 * `queries-erasure.ts` what the job erases.
 */
import { draftStatuses, handoverStatuses, movingStatuses } from '@waybill/contract/ground/status/parcel-status'
import { sql } from 'kysely'
import { type DbOrTx, literals, type Tx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import { erasedMarks } from '../../lib/text/erased.ts'

export type Obstacles = {
  parcels: number
  outstanding: number
  outstanding_minor: number
  orders: number
  approvals: number
  pickups: number
  payments: number
  /** When no more money can come from these payments. */
  payments_until: Date | null
  claims: number
  disputes: number
  wallet_minor: number
  statement_minor: number
  cod_minor: number
  refunds: number
  refunds_minor: number
  members: number
}

/**
 * Everything unsettled or in progress. `userId`: the user who requests the deletion. `lookHours`: how long after a
 * payment failed or expired its money may still come.
 */
export async function findObstacles(
  db: DbOrTx,
  { accountId, userId, lookHours, now }: { accountId: AccountId; userId: string; lookHours: number; now: Date },
): Promise<Obstacles> {
  const own = sql`account_id = ${accountId}::uuid`
  const lookTime = sql`make_interval(hours => ${lookHours}::int)`
  const { rows } = await sql<Obstacles>`
    select
      (
        select count(*)
        from parcels
        where ${own} and status in (${literals([...handoverStatuses, ...movingStatuses, 'reverse_pickup'])})
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
      payments.count as payments,
      payments.until as payments_until,
      (select count(*) from claims where ${own} and state in ('documents', 'submitted')) as claims,
      (select count(*) from parcel_weighings where ${own} and state = 'contested') as disputes,
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
      ) as members
    from (
      select count(*) as count, max(ended + ${lookTime}) as until
      from (
        select case status when 'pending' then greatest(expires_at, ${now}::timestamptz) else settled_at end as ended
        from payments
        where ${own} and status in ('pending', 'failed', 'expired')
      ) p
      where ended + ${lookTime} > ${now}::timestamptz
    ) payments`.execute(db)
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
    where account_id = ${accountId}::uuid and status in (${literals(draftStatuses)})
    order by id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Ids of all users that the account ever had: removed ones still have a name. */
export async function listUserIds(trx: Tx, accountId: AccountId): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id
    from users
    where account_id = ${accountId}::uuid
    order by id
    for update`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Deletes the wallet's PIN and other means of access. */
export async function deleteWalletAccess(trx: Tx, accountId: AccountId): Promise<void> {
  await sql`delete from wallet_pins where account_id = ${accountId}::uuid`.execute(trx)
  await sql`delete from wallet_preferences where account_id = ${accountId}::uuid`.execute(trx)
}

/** Deletes staff's notes about the account. */
export async function deleteNotes(trx: Tx, accountId: AccountId): Promise<void> {
  await sql`delete from account_notes where account_id = ${accountId}::uuid`.execute(trx)
}

/** Revokes the account's API keys. The rows stay, because the books refer to payments made with them. */
export async function revokeKeys(trx: Tx, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    update api_keys
    set revoked_at = coalesce(revoked_at, ${at}::timestamptz), name = ${erasedMarks.text}
    where account_id = ${accountId}::uuid`.execute(trx)
}

/** Ends the account's webhooks at once, and the links with which receivers enter addresses. */
export async function stopIntegrations(trx: Tx, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    update webhooks
    set status = 'disabled', updated_at = ${at}::timestamptz
    where account_id = ${accountId}::uuid`.execute(trx)
  await sql`
    update address_requests
    set withdrawn_at = ${at}::timestamptz
    where account_id = ${accountId}::uuid and withdrawn_at is null and answered_at is null`.execute(trx)
}

/** Deletes the responses that the account's customers stored under an Idempotency-Key. */
export async function deleteResponses(trx: Tx, accountId: AccountId): Promise<void> {
  await sql`delete from idempotency_keys where caller_id = ${accountId}::uuid`.execute(trx)
}

/** Deletes the records of users' sign-ins. Sessions have been ended before. */
export async function deleteSignIns(trx: Tx, userIds: readonly string[]): Promise<void> {
  await sql`delete from identities where user_id = any(${userIds}::uuid[])`.execute(trx)
  await sql`delete from known_devices where user_id = any(${userIds}::uuid[])`.execute(trx)
  await sql`
    delete from one_time_codes
    where subject = any(${userIds}::text[])
      or payload ->> 'userId' = any(${userIds}::text[])
      or lower(payload ->> 'email') in (select email from users where id = any(${userIds}::uuid[]))`.execute(trx)
  await sql`update sessions set user_agent = null, ip = null where user_id = any(${userIds}::uuid[])`.execute(trx)
}

/**
 * Erases name, address, password, preferences and notifications of users. The rows stay: orders and the log refer to
 * them.
 */
export async function anonymizeUsers(trx: Tx, userIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update users
    set name = ${erasedMarks.user}, email = id || '@deleted.invalid', invited_email = null, phone = null,
      password_hash = null, photo_id = null, job_title = null, cost_centre = null, permissions = '{}',
      weight_unit = null, dimension_unit = null, last_login_at = null, monthly_limit_minor = null,
      status = 'blacklisted', removed_at = coalesce(removed_at, ${at}::timestamptz), updated_at = ${at}::timestamptz,
      version = version + 1
    where id = any(${userIds}::uuid[])`.execute(trx)
  await sql`delete from notifications where user_id = any(${userIds}::uuid[])`.execute(trx)
  await sql`delete from push_subscriptions where user_id = any(${userIds}::uuid[])`.execute(trx)
  await sql`delete from notification_preferences where user_id = any(${userIds}::uuid[])`.execute(trx)
}

/** Erases an account's name and numbers and closes it. Orders and invoices keep their buyer. */
export async function anonymizeAccount(trx: Tx, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    update accounts
    set name = ${erasedMarks.customer}, registration_number = null, tax_number = null, billing_address = null,
      consent_ip = null, status = 'blacklisted', closed_at = ${at}::timestamptz, updated_at = ${at}::timestamptz,
      version = version + 1
    where id = ${accountId}::uuid`.execute(trx)
}

/** The mail addresses of users, including those that invitations were sent to. */
export async function listMailAddresses(trx: Tx, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select unnest(array_remove(array[email, invited_email], null)) as address
    from users
    where id = any(${userIds}::uuid[])`.execute(trx)
  return rows.map(({ address }) => address)
}
