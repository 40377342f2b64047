/** Users and accounts, for other domains. */
import type { RawBuilder } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import { type AccountId, authorize, customer } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import type { Selector } from '../settings/selectors.ts'
import { lockAccountRow } from './company/queries-corporate.ts'
import {
  type AccountRow,
  type BillingParty,
  billingPartyJson,
  findAccount,
  findBillingParty,
  findOwner,
  findUser,
  findUserByEmail,
  listAccountIds,
  listUsersOfAccount,
  setFirstNoteAt,
  type UserRow,
} from './queries.ts'
import {
  findAccountNames,
  findStaff,
  findStaffStations,
  listOperators,
  listUserNames,
  type StaffName,
} from './staff/queries.ts'

/** Names of staff by id; other users have no entry. */
export async function findStaffNames(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await findStaff(db, ids)).map(({ id, name }) => [id, name]))
}

/** Records that a user of the account has printed a consignment note. Only the first print counts. */
export async function recordFirstNote(db: DbOrTx, accountId: AccountId, at: Date): Promise<void> {
  await setFirstNoteAt(db, accountId, at)
}

/** Whether a user of the account has printed a consignment note. */
export async function hasPrintedNote(db: DbOrTx, accountId: AccountId): Promise<boolean> {
  return Boolean((await findAccount(db, accountId))?.first_note_at)
}

/** The email address and language of a member of staff; undefined once they were removed. */
export async function findStaffContact(
  db: DbOrTx,
  id: string,
): Promise<{ email: string; name: string; language: string } | undefined> {
  const user = await findUser(db, id)
  return user?.kind === 'staff' && user.removed_at === null ? user : undefined
}

/** The stations of active staff by user id: null for none; no entry if not active staff. */
export async function findHomeStations(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  return findStaffStations(db, ids)
}

/** Names of users by id, customers, staff and former users alike. */
export async function findUserNames(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await listUserNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** All users of an account with their cost centres, including former ones, by name. */
export async function accountUsers(
  db: DbOrTx,
  accountId: AccountId,
): Promise<Pick<UserRow, 'id' | 'name' | 'cost_centre'>[]> {
  return listUsersOfAccount(db, accountId)
}

/** Names of accounts by id. */
export async function accountNames(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await findAccountNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** Ids of accounts after one (null: from the first), in order: for work on all accounts. */
export async function accountIdsAfter(db: DbOrTx, after: string | null, limit: number): Promise<AccountId[]> {
  return listAccountIds(db, after, limit)
}

/** The riders that a station can send: its operations staff, and the caller. */
export async function readRiders(db: DbOrTx, stationId: string | null, caller: string): Promise<StaffName[]> {
  return listOperators(db, stationId, caller)
}

/** The account with its conditions; undefined if there is none. */
export async function findAccountById(db: DbOrTx, id: AccountId): Promise<AccountRow | undefined> {
  return findAccount(db, id)
}

/** The account of the customer with this email address (in lower case); undefined if there is none. */
export async function findAccountByEmail(db: DbOrTx, email: string): Promise<AccountRow | undefined> {
  const user = await findUserByEmail(db, 'customer', email)
  return user?.account_id ? findAccount(db, user.account_id) : undefined
}

/** The owner of an account; undefined for one that has none, such as a deleted one. */
export async function findAccountOwner(db: DbOrTx, id: AccountId): Promise<UserRow | undefined> {
  return findOwner(db, id)
}

/** The account, locked so that its conditions cannot change until the transaction ends. */
export async function lockAccount(trx: DbOrTx, id: AccountId): Promise<AccountRow | undefined> {
  return lockAccountRow(trx, id)
}

/**
 * Locks the account for what would keep it from being deleted. Of this and a deletion at the same moment, one sees the
 * other. Lock it after parcels, and before anything is written. Throws account_closed.
 */
export async function lockOpenAccount(trx: DbOrTx, id: AccountId): Promise<void> {
  const account = await lockAccountRow(trx, id)
  if (!account || account.closed_at !== null) throw new AppError('account_closed')
}

/** Any user, customer or staff. */
export async function findUserById(db: DbOrTx, id: string): Promise<UserRow | undefined> {
  return findUser(db, id)
}

/** The drop-down of the users of the caller's account. */
export const corporateUsers: Selector = async (deps, { caller }) => {
  authorize('customer.view', caller)
  const users = await listUsersOfAccount(deps.db, customer(caller).accountId)
  return users.map((user) => ({ value: user.id, label: user.name }))
}

/** The buyer on an account's invoices. */
export async function billingParty(db: DbOrTx, accountId: AccountId): Promise<BillingParty> {
  return findBillingParty(db, accountId)
}

/** SQL of `billingParty` as a JSON value, for a statement of a higher domain. `accountId`: SQL of the account's id. */
export function selectBillingParty(accountId: RawBuilder<unknown>): RawBuilder<BillingParty> {
  return billingPartyJson(accountId)
}
