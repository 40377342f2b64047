/** Accounts as staff see them: the list, and one account with its users and the history of its status. */

import {
  type AccountDetail,
  accountTabs,
  type ListedAccount,
  type listAccounts,
} from '@waybill/contract/accounts/directory'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountStatus, UserType } from '@waybill/contract/ground/enums/enums'
import { containing } from '../../../db/conditions/like.ts'
import { readKeysetPage } from '../../../db/keyset.ts'
import { countTabs } from '../../../db/page.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller, callerFromClaims } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { parsePhone } from '../../../lib/phone.ts'
import { mailAddress } from '../company/invitations.ts'
import { customerClaims } from '../present.ts'
import { type AccountRow, findAccount, findOwner, type UserRow } from '../queries.ts'
import { findUserNames } from '../service.ts'
import {
  type AccountFilter,
  countAccounts,
  type ListedAccountRow,
  listAccountRows,
  listAccountUsers,
  listStatusChanges,
} from './queries.ts'

/**
 * Turns the words of a search into LIKE patterns. A phone number is searched for in its stored form, however it was
 * typed.
 */
function buildPatterns({ settings }: Deps, search: string | undefined): string[] {
  const text = search?.trim().toLowerCase() ?? ''
  if (text === '') return []
  const phone = /^[+\d][\d\s()-]{5,}$/.test(text) ? parsePhone(text, settings.get('countryCode')) : null
  const words = phone ? [phone] : text.split(/\s+/).slice(0, 6)
  return words.map(containing)
}

const presentListed = (row: ListedAccountRow): ListedAccount => ({
  id: row.id,
  number: row.number,
  name: row.name,
  userType: row.user_type as UserType,
  status: row.status as AccountStatus,
  email: row.email,
  phone: row.phone,
  createdAt: row.created_at.toISOString(),
})

/** A page of accounts, newest first; `total` is counted up to a thousand. Throws validation for an invalid cursor. */
export async function searchAccounts(
  deps: Deps,
  query: QueryOf<typeof listAccounts>,
): Promise<ResponseOf<typeof listAccounts>> {
  const filter: AccountFilter = { tab: query.tab, patterns: buildPatterns(deps, query.search) }
  const [{ rows, next, previous }, counts] = await Promise.all([
    readKeysetPage(query, (from) => listAccountRows(deps.db, filter, from)),
    countTabs(accountTabs, (tab) => countAccounts(deps.db, { ...filter, tab })),
  ])
  return { items: rows.map(presentListed), total: counts[query.tab], limit: query.limit, next, previous, counts }
}

/** The account with an id. Throws not_found. */
export async function requireAccount(deps: Deps, id: string): Promise<AccountRow> {
  const account = await findAccount(deps.db, id)
  if (!account) throw new AppError('not_found')
  return account
}

/**
 * The owner of an account as a caller, for staff who read what the owner sees. Only for reading: access rules are not
 * checked. Throws not_found.
 */
export async function requireOwnerCaller(deps: Deps, id: string): Promise<CustomerCaller> {
  const account = await requireAccount(deps, id)
  const owner = await findOwner(deps.db, asAccountId(id))
  if (!owner) throw new AppError('not_found')
  return callerFromClaims({ ...customerClaims(owner, account, ''), iat: 0, exp: 0 }) as CustomerCaller
}

/** More than any company needs on one screen. */
const maxUsers = 50
const maxChanges = 20

/** Whether staff may view an account as its owner. A blocked account cannot be viewed. */
export const isViewable = (account: AccountRow, owner: UserRow | undefined): owner is UserRow =>
  account.status !== 'blacklisted' && owner !== undefined && owner.status !== 'blacklisted'

/** An account with its users and the history of its status. Throws not_found. */
export async function readAccount(deps: Deps, id: string): Promise<AccountDetail> {
  const account = await requireAccount(deps, id)
  const [{ rows: users, total: userCount }, changes] = await Promise.all([
    listAccountUsers(deps.db, id, maxUsers),
    listStatusChanges(deps.db, id, maxChanges),
  ])
  const owner = users.find((user) => user.is_owner)
  const names = await findUserNames(deps.db, [...new Set(changes.map(({ changed_by }) => changed_by))])
  return {
    id: account.id,
    number: account.number,
    name: account.name,
    userType: account.user_type as UserType,
    status: account.status as AccountStatus,
    email: owner?.email ?? null,
    phone: owner?.phone ?? null,
    createdAt: account.created_at.toISOString(),
    registrationNumber: account.registration_number,
    taxNumber: account.tax_number,
    billingAddress: account.billing_address,
    users: users.map((user) => ({
      id: user.id,
      name: user.name,
      email: mailAddress(user),
      phone: user.phone,
      language: user.language as Locale,
      isOwner: user.is_owner,
      status: user.status as AccountStatus,
      invited: user.invited_email !== null,
      lastLoginAt: user.last_login_at?.toISOString() ?? null,
    })),
    userCount,
    statusChanges: changes.map((change) => ({
      id: change.id,
      from: change.from_status as AccountStatus,
      to: change.to_status as AccountStatus,
      reason: change.reason,
      by: names.get(change.changed_by) ?? null,
      at: change.changed_at.toISOString(),
    })),
    viewable: isViewable(account, owner),
    closedAt: account.closed_at?.toISOString() ?? null,
    version: account.version,
  }
}
