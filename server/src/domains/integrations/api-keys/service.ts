/** API keys: created and revoked by the owner of an account, used by the account's programs. */

import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountStatus, ApiScope, UserType } from '@waybill/contract/ground/enums/enums'
import type { ApiKey, createApiKey, listApiKeys } from '@waybill/contract/integrations/api-keys'
import { maxApiKeys } from '@waybill/contract/integrations/api-keys'
import { type Activity, recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type CustomerCaller, callerFromKey } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { later, minutes } from '../../../lib/clock.ts'
import { randomToken, sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import type { OutboxHandler } from '../../../outbox/handler.ts'
import { findAccountById, findUserById, findUserNames, lockAccount } from '../../accounts/service.ts'
import { checkPin } from '../../wallet/service.ts'
import {
  type ApiKeyRow,
  countUsableKeys,
  findUsableKey,
  insertKey,
  listKeyRows,
  markRevoked,
  revokeKeysOfUser,
  saveLastUse,
} from './queries.ts'

/** The prefix of every key, so that programs that look for leaked secrets recognise one. */
export const keyMark = 'wb_'
/** `wb_` and 43 characters: 256 random bits. */
const keyPattern = /^wb_[\w-]{43}$/
/** The length of the part of a key that lists show: too short to help anybody guess the rest. */
const prefixLength = keyMark.length + 6
/** Revoked keys stay in the list, except the oldest. */
const maxListed = 200

function present(deps: Deps, row: ApiKeyRow, names: Map<string, string>): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= deps.clock.now()
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as ApiScope[],
    status: row.revoked_at ? 'revoked' : expired ? 'expired' : 'active',
    dailyLimitMinor: row.daily_limit_minor,
    currency: deps.settings.get('currency'),
    createdBy: names.get(row.created_by) ?? null,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}

/** The keys of the caller's account, without their secrets. */
export async function listKeys(deps: Deps, { accountId }: CustomerCaller): Promise<ResponseOf<typeof listApiKeys>> {
  const rows = await listKeyRows(deps.db, accountId, deps.clock.now(), maxListed)
  const names = await findUserNames(deps.db, [...new Set(rows.map((row) => row.created_by))])
  return { items: rows.map((row) => present(deps, row, names)), currency: deps.settings.get('currency') }
}

/**
 * Creates a key. The response is the only place where its secret appears. A key that may pay needs the wallet PIN
 * once, here, and a limit per day.
 * @throws AppError validation (expiry in the past, limit or PIN missing, or a limit without the scope), too_many_keys,
 * and the errors of `checkPin`.
 */
export async function createKey(
  deps: Deps,
  caller: CustomerCaller,
  { name, scopes, expiresAt, dailyLimitMinor, pin }: BodyOf<typeof createApiKey>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof createApiKey>> {
  const { accountId, userId } = caller
  const now = deps.clock.now()
  const pays = scopes.includes('payments')
  if (expiresAt !== null && new Date(expiresAt) <= now) throw validationError({ field: 'expiresAt', rule: 'future' })
  if (pays && dailyLimitMinor === null) throw validationError({ field: 'dailyLimitMinor', rule: 'required' })
  if (!pays && dailyLimitMinor !== null) throw validationError({ field: 'dailyLimitMinor', rule: 'limitNeedsPayments' })
  if (pays) {
    if (pin === undefined) throw validationError({ field: 'pin', rule: 'required' })
    await checkPin(deps, accountId, pin)
  }
  const secret = keyMark + randomToken()
  return tx(deps.db, async (trx) => {
    // Locked, so that parallel requests do not create more keys than allowed.
    await lockAccount(trx, accountId)
    if ((await countUsableKeys(trx, accountId, now)) >= maxApiKeys) {
      throw new AppError('too_many_keys', { vars: { count: maxApiKeys } })
    }
    const created = await insertKey(trx, {
      id: newId(),
      account_id: accountId,
      name,
      prefix: secret.slice(0, prefixLength),
      secret_hash: sha256(secret),
      scopes: [...new Set(scopes)],
      daily_limit_minor: dailyLimitMinor,
      created_by: userId,
      created_at: now,
      expires_at: expiresAt,
    })
    await recordActivity(trx, {
      action: 'apiKeys.created',
      level: 'NOTICE',
      accountId,
      userId,
      subject: created.id,
      detail: { name, scopes: created.scopes, dailyLimitMinor, expiresAt },
      at: now,
    })
    const answer = { apiKey: present(deps, created, await findUserNames(trx, [userId])), secret }
    await idempotency.keep(trx, answer)
    return answer
  })
}

/**
 * Revokes the keys of former owners after their companies were handed over: they know the keys, which can do more than
 * a member.
 */
export const revokeKeysOfFormerOwners: OutboxHandler<'company.owner_changed'> = async (deps, trx, events) => {
  const at = deps.clock.now()
  for (const { accountId, formerOwnerId, ownerId: userId } of events) {
    // Safe: the event was written by a change within the same company.
    for (const { id, name } of await revokeKeysOfUser(trx, asAccountId(accountId), formerOwnerId, at))
      await recordActivity(trx, revocation({ id, name, accountId, userId, at }))
  }
}

const revocation = ({
  id,
  name,
  accountId,
  userId,
  at,
}: Record<'id' | 'name' | 'accountId' | 'userId', string> & { at: Date }): Activity => ({
  action: 'apiKeys.revoked',
  level: 'NOTICE',
  accountId,
  userId,
  subject: id,
  detail: { name },
  at,
})

/** Revokes a key. Every call looks its key up, so the next one is refused. Throws not_found. */
export async function revokeKey(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const { accountId, userId } = caller
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const revoked = await markRevoked(trx, accountId, id, at)
    if (!revoked) throw new AppError('not_found')
    if (!revoked.changed) return
    await recordActivity(trx, revocation({ id, name: revoked.row.name, accountId, userId, at }))
  })
}

/** A use is recorded at most this often. */
const useEveryMs = minutes(1)

/**
 * The caller of a request with an API key; null for a key that is unknown, revoked or expired, and for a creator who
 * has left. Read at every call, without a cache: a revoked key, a suspended account and a blocked creator take effect
 * at once in every process.
 */
export async function findKeyCaller(deps: Deps, secret: string): Promise<CustomerCaller | null> {
  if (!keyPattern.test(secret)) return null
  const now = deps.clock.now()
  const key = await findUsableKey(deps.db, sha256(secret), now)
  if (!key) return null
  const [account, user] = await Promise.all([
    // Safe: the id comes from the key's own row.
    findAccountById(deps.db, asAccountId(key.account_id)),
    findUserById(deps.db, key.created_by),
  ])
  if (!account || !user || user.account_id !== key.account_id) return null
  const since = later(now, -useEveryMs)
  if (key.last_used_at === null || key.last_used_at <= since) await saveLastUse(deps.db, key.id, now, since)
  return callerFromKey({
    id: key.id,
    name: key.name,
    dailyLimitMinor: key.daily_limit_minor,
    scopes: key.scopes as ApiScope[],
    accountId: key.account_id,
    userId: user.id,
    userType: account.user_type as UserType,
    accountStatus: account.status as AccountStatus,
    userStatus: user.status as AccountStatus,
  })
}
