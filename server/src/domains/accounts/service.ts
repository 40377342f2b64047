import type { DbOrTx } from '../../db/pool.ts'
import { type AccountId, authorize, customer } from '../../http/caller.ts'
import type { Selector } from '../settings/selectors.ts'
import { lockAccountRow } from './company/queries-corporate.ts'
import {
  type AccountRow,
  findAccount,
  findBillingParty,
  findOwner,
  findUser,
  listUsersOfAccount,
  type UserRow,
} from './queries.ts'
import {
  findAccountNames,
  findStaff,
  findUserNames,
  listOperators,
  type StaffName,
  stationsOfStaff,
} from './staff/queries.ts'

/** Names of members of staff by their ids; others have no entry. */
export async function namesOfStaff(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await findStaff(db, ids)).map(({ id, name }) => [id, name]))
}

/** The stations where active members of staff work: null for none, no entry for who is no staff. */
export async function homeStations(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string | null>> {
  return stationsOfStaff(db, ids)
}

/** Names of users, customers and staff, by their ids; of those who have left as well. */
export async function namesOfUsers(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await findUserNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** What accounts are called, by their ids. */
export async function accountNames(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await findAccountNames(db, ids)).map(({ id, name }) => [id, name]))
}

/** Who may be sent from a station: its operations staff, and whoever asks. */
export async function readRiders(db: DbOrTx, stationId: string | null, caller: string): Promise<StaffName[]> {
  return listOperators(db, stationId, caller)
}

/** The account: status, rate card, discount, credit terms, consent. Undefined when there is none of that id. */
export async function findAccountById(db: DbOrTx, id: AccountId): Promise<AccountRow | undefined> {
  return findAccount(db, id)
}

/** The account, its conditions held still until the transaction ends. */
export async function lockAccount(trx: DbOrTx, id: AccountId): Promise<AccountRow | undefined> {
  return lockAccountRow(trx, id)
}

/** The owner of an account, who gets its mails. */
export async function findAccountOwner(db: DbOrTx, accountId: AccountId): Promise<UserRow | undefined> {
  return findOwner(db, accountId)
}

/** Any user, customer or staff. */
export async function findUserById(db: DbOrTx, id: string): Promise<UserRow | undefined> {
  return findUser(db, id)
}

/** The drop-down of the account's users, for whoever is signed in to it. */
export const corporateUsers: Selector = async (deps, { caller }) => {
  authorize('customer.view', caller)
  const users = await listUsersOfAccount(deps.db, customer(caller).accountId)
  return users.map((user) => ({ value: user.id, label: user.name }))
}

/** Whom an invoice is made out to. The registration keeps no postal address, so there is none. */
export type BillingParty = {
  name: string
  registrationNumber: string | null
  taxNumber: string | null
  address: string | null
  email: string | null
}

export async function billingParty(db: DbOrTx, accountId: AccountId): Promise<BillingParty> {
  const row = await findBillingParty(db, accountId)
  return {
    name: row?.name ?? '',
    registrationNumber: row?.registration_number ?? null,
    taxNumber: row?.tax_number ?? null,
    address: row?.billing_address ?? null,
    email: row?.email ?? null,
  }
}
