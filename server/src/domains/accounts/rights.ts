/** The rights in access tokens, and their revocation. */
import type { DbOrTx, Tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId } from '../../http/caller.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { Identity, LockedIdentity } from './present.ts'
import {
  changesSince,
  endSessions,
  findAccount,
  findUser,
  lockUser,
  lockUsersAndAccounts,
  shareAccount,
} from './queries.ts'

/** The live topic on which processes announce revocations. */
const revokeTopic = 'revoke'

/** A little longer than the lifetime of any token. */
const rememberedMs = minutes(20)

/** How long after `updated_at` a change may commit: the time limit of an idle transaction. */
const longestChangeMs = minutes(1)

/**
 * Voids the current access tokens of sessions, users or accounts: in this process at once, in every other when the
 * transaction commits. Clients with a session get a new token by refreshing; the others must sign in. A refresh
 * meanwhile waits for the transaction (`lockRights`), so it gets the new rights.
 */
export async function revokeTokens(trx: DbOrTx, deps: Deps, ...ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await lockUsersAndAccounts(trx, ids)
  // Under the locks: tokens with the old rights were read before this moment, and none can be read after it.
  const at = deps.clock.now()
  for (const id of ids) deps.tokens.revoke(id, at)
  await deps.live.publishAll(
    trx,
    ids.map((id) => ({ topic: revokeTopic, data: { id, at: at.toISOString() } })),
  )
}

/** Ends every session of a user, for a higher domain. Returns the ids of those that were open. */
export async function endUserSessions(trx: DbOrTx, deps: Deps, userId: string): Promise<string[]> {
  return endSessions(trx, userId, { except: null }, deps.clock.now())
}

/**
 * Reads the revocations that this process missed, after a start or a lost connection. A row has the time at which its
 * change began; old rights could be read until it committed.
 */
async function readRevocations(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const { id, at } of await changesSince(deps.db, later(now, -rememberedMs))) {
    deps.tokens.revoke(id, new Date(Math.min(now.getTime(), at.getTime() + longestChangeMs)))
  }
}

/** Makes this process refuse revoked tokens, including those of the last minutes. */
export async function followRevocations(deps: Deps): Promise<void> {
  deps.live.subscribe(revokeTopic, (data) => {
    const { id, at } = data as { id: string; at: string }
    deps.tokens.revoke(id, new Date(at))
  })
  deps.live.onReconnect(() => readRevocations(deps))
  await readRevocations(deps)
}

/** The user with the account; undefined if there is none, or if sign-in is blocked. */
export async function findIdentity(db: DbOrTx, userId: string): Promise<Identity | undefined> {
  const user = await findUser(db, userId)
  if (!user) return undefined
  // Safe: the id comes from the user's own row.
  const account = user.account_id === null ? null : await findAccount(db, asAccountId(user.account_id))
  return account !== undefined && maySignIn({ user, account }) ? { user, account } : undefined
}

/**
 * The user with the account, whatever their statuses, for issuing a token. Nobody else can change the rights until the
 * transaction ends; a change in progress is waited for. A token with rights that were read without these locks could
 * outlive their withdrawal.
 */
export async function lockRights(trx: Tx, deps: Deps, userId: string): Promise<LockedIdentity | undefined> {
  const accountId = (await findUser(trx, userId))?.account_id ?? null
  // The account first, as the deletion of an account does.
  const account = accountId === null ? null : await shareAccount(trx, accountId)
  const user = await lockUser(trx, userId)
  return user && account !== undefined ? { user, account, readAt: deps.clock.now() } : undefined
}

/** Whether the statuses allow a session. A suspended customer may still read; suspended staff have nothing to read. */
export function maySignIn({ user, account }: Identity): boolean {
  if (account === null) return user.kind === 'staff' && user.status === 'active'
  return user.status !== 'blacklisted' && account.status !== 'blacklisted'
}
