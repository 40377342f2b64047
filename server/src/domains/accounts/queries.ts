/** Queries on users, accounts and sessions. */
import { fallbackLocale, type Locale, locales } from '@waybill/contract/ground/constants'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../db/batches.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { Accounts, Sessions, Users } from '../../db/schema.ts'
import { type AccountId, asAccountId } from '../../http/caller.ts'

export type UserRow = Selectable<Users>
export type AccountRow = Selectable<Accounts>
export type SessionRow = Selectable<Sessions>
export type UserKind = 'customer' | 'staff'

/** Inserts an account. */
export async function insertAccount(trx: DbOrTx, row: Insertable<Accounts>): Promise<void> {
  await trx.insertInto('accounts').values(row).execute()
}

/**
 * Inserts the account of senders without one, and its removed users, unless they exist. Their addresses are in a domain
 * that is reserved for names without a server, so registration with them is impossible.
 */
export async function insertWalkInAccount(
  trx: DbOrTx,
  { accountId, userIds, at }: { accountId: AccountId; userIds: Readonly<Record<Locale, string>>; at: Date },
): Promise<void> {
  const name = 'Walk-in senders'
  await trx
    .insertInto('accounts')
    .values({ id: accountId, user_type: 'customer', name, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx
    .insertInto('users')
    .values(
      locales.map((language) => ({
        id: userIds[language],
        kind: 'customer',
        account_id: accountId,
        email: `walk-in.${language}@counter.invalid`,
        name,
        language,
        is_owner: language === fallbackLocale,
        status: 'blacklisted',
        removed_at: at,
        created_at: at,
        updated_at: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Inserts a user. */
export async function insertUser(trx: DbOrTx, row: Insertable<Users>): Promise<void> {
  await trx.insertInto('users').values(row).execute()
}

/**
 * Finds a user by email address (in lower case). The same address may belong to a customer and to a member of staff.
 */
export async function findUserByEmail(db: DbOrTx, kind: UserKind, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('kind', '=', kind)
    .where((where) => where(where.fn('lower', ['email']), '=', email))
    .executeTakeFirst()
}

/** A user by id. */
export async function findUser(db: DbOrTx, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Locks a user: password and status cannot change until the caller's transaction ends. Not a shared lock: two sign-ins
 * at once would both hold it, and wait for each other to store the time of the sign-in.
 */
export async function lockUser(trx: DbOrTx, id: string): Promise<UserRow | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Locks a user who is being changed. */
export async function lockUserForUpdate(trx: DbOrTx, id: string): Promise<UserRow | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** An account by id. */
export async function findAccount(db: DbOrTx, id: AccountId | string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** An account whose status cannot change until the caller's transaction ends. */
export async function shareAccount(trx: DbOrTx, id: string): Promise<AccountRow | undefined> {
  return trx.selectFrom('accounts').selectAll().where('id', '=', id).forShare().executeTakeFirst()
}

/** Locks the users and accounts among the ids, as a change of them does. */
export async function lockUsersAndAccounts(trx: DbOrTx, ids: readonly string[]): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  await trx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** Ids of accounts after one, in their order. */
export async function listAccountIds(db: DbOrTx, after: string | null, limit: number): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '>', after ?? '00000000-0000-0000-0000-000000000000')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => asAccountId(id))
}

/** The account's owner, who gets its mails. */
export async function findOwner(db: DbOrTx, accountId: AccountId): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('is_owner', '=', true)
    .orderBy('created_at')
    .executeTakeFirst()
}

/** The users of an account. */
export async function listUsersOfAccount(db: DbOrTx, accountId: AccountId): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where('account_id', '=', accountId).orderBy('name').orderBy('id').execute()
}

/** Updates the caller's own profile. False if `version` is outdated. */
export async function updateProfile(
  trx: DbOrTx,
  id: string,
  version: number,
  set: { name: string; phone: string | null; language: string },
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set((value) => ({ ...set, version: value('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Changes language and units. False if `version` is outdated. */
export async function updatePreferences(
  trx: DbOrTx,
  id: string,
  version: number,
  set: { language: string; weight_unit: string | null; dimension_unit: string | null },
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set((value) => ({ ...set, version: value('version', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Sets the photo. `updated_at` is not changed: that would void the user's tokens. */
export async function updatePhoto(trx: DbOrTx, id: string, photoId: string | null): Promise<void> {
  await trx.updateTable('users').set({ photo_id: photoId }).where('id', '=', id).execute()
}

/** Sets a password hash. */
export async function updatePassword(trx: DbOrTx, id: string, passwordHash: string, at: Date): Promise<void> {
  await trx.updateTable('users').set({ password_hash: passwordHash, updated_at: at }).where('id', '=', id).execute()
}

/** Stores the time of the last sign-in. `updated_at` is not changed: that would void the user's tokens. */
export async function saveLastLogin(trx: DbOrTx, id: string, at: Date): Promise<void> {
  await trx.updateTable('users').set({ last_login_at: at }).where('id', '=', id).execute()
}

/** Inserts a session. */
export async function insertSession(trx: DbOrTx, row: Insertable<Sessions>): Promise<void> {
  await trx.insertInto('sessions').values(row).execute()
}

/** The user of a session, which never changes. */
export async function findSessionUser(db: DbOrTx, id: string): Promise<string | undefined> {
  return (await db.selectFrom('sessions').select('user_id').where('id', '=', id).executeTakeFirst())?.user_id
}

/** A session, locked so that two refreshes run one after the other. */
export async function lockSession(trx: DbOrTx, id: string): Promise<SessionRow | undefined> {
  return trx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Stores the next refresh token of a session. */
export async function updateSession(
  trx: DbOrTx,
  id: string,
  set: Partial<Pick<SessionRow, 'token_hash' | 'previous_token_hash' | 'rotated_at' | 'last_used_at' | 'expires_at'>>,
): Promise<void> {
  await trx.updateTable('sessions').set(set).where('id', '=', id).execute()
}

/** The usable sessions of a user, last used first, at most 100. */
export async function openSessions(db: DbOrTx, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .limit(100)
    .execute()
}

/** Ends one session of a user, or all but `except`. Returns the ids of those that were open. */
export async function endSessions(
  trx: DbOrTx,
  userId: string,
  which: { id: string } | { except: string | null },
  at: Date,
): Promise<string[]> {
  let query = trx
    .updateTable('sessions')
    .set({ ended_at: at })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if ('id' in which) query = query.where('id', '=', which.id)
  else if (which.except !== null) query = query.where('id', '!=', which.except)
  const rows = await query.returning('id').execute()
  return rows.map((row) => row.id)
}

/**
 * Sessions and views that ended, and users and accounts that changed since `since`: their older tokens are void. New
 * users and accounts have no older ones.
 */
export async function changesSince(db: DbOrTx, since: Date): Promise<{ id: string; at: Date }[]> {
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'ended_at as at'])
    .where('ended_at', '>', since)
    .execute()
  const users = await db
    .selectFrom('users')
    .select(['id', 'updated_at as at'])
    .where('updated_at', '>', since)
    .whereRef('updated_at', '>', 'created_at')
    .execute()
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'updated_at as at'])
    .where('updated_at', '>', since)
    .whereRef('updated_at', '>', 'created_at')
    .execute()
  const views = await db
    .selectFrom('account_views')
    .select(['id', 'ended_at as at'])
    .where('ended_at', '>', since)
    .execute()
  return [...sessions, ...users, ...accounts, ...views].flatMap(({ id, at }) => (at === null ? [] : [{ id, at }]))
}

/** Deletes sessions that ended or expired before `before`. */
export async function deleteOldSessions(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'sessions', 'ended_at', before)
  await deleteOldRows(db, 'sessions', 'expires_at', before)
}

/** The buyer of an invoice. Registration asks for no postal address, so there may be none. */
export type BillingParty = {
  name: string
  registrationNumber: string | null
  taxNumber: string | null
  address: string | null
  email: string | null
}

/** SQL of the buyer of an account's invoices: the account with its owner's email address, as a JSON value. */
export const billingPartyJson = (accountId: AccountId | RawBuilder<unknown>): RawBuilder<BillingParty> => sql`(
  select jsonb_build_object('name', a.name, 'registrationNumber', a.registration_number, 'taxNumber', a.tax_number,
    'address', a.billing_address, 'email', u.email)
  from accounts a
  left join users u on u.account_id = a.id and u.is_owner
  where a.id = ${accountId}::uuid
  order by u.created_at
  limit 1)`

/** The buyer on an account's invoices. */
export async function findBillingParty(db: DbOrTx, accountId: AccountId): Promise<BillingParty> {
  const { rows } = await sql<{ party: BillingParty }>`select ${billingPartyJson(accountId)} as party`.execute(db)
  return (rows[0] as { party: BillingParty }).party
}

/** Sets the time of the first note unless it is set. */
export async function setFirstNoteAt(db: DbOrTx, accountId: AccountId, at: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ first_note_at: at })
    .where('id', '=', accountId)
    .where('first_note_at', 'is', null)
    .execute()
}
