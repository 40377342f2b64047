/** Revocation of access tokens. */
import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId } from '../../http/caller.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { Identity } from './present.ts'
import { changesSince, endSessions, findAccount, findUser } from './queries.ts'

/** The live topic on which processes announce revocations. */
const revokeTopic = 'revoke'

/** A little longer than the lifetime of any token. */
const rememberedMs = minutes(20)

/**
 * Voids the current access tokens of sessions, users or accounts: in this process at once, in every other when the
 * transaction commits. Clients with a session get a new token by refreshing; the others must sign in.
 */
export async function revokeTokens(trx: DbOrTx, deps: Deps, ...ids: string[]): Promise<void> {
  if (ids.length === 0) return
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

/** Reads the revocations that this process missed, after a start or a lost connection. */
async function readRevocations(deps: Deps): Promise<void> {
  for (const { id, at } of await changesSince(deps.db, later(deps.clock.now(), -rememberedMs)))
    deps.tokens.revoke(id, at)
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
  if (!user || user.status === 'blacklisted') return undefined
  if (user.account_id === null) return user.status === 'active' ? { user, account: null } : undefined
  // Safe: the id comes from the user's own row.
  const account = await findAccount(db, asAccountId(user.account_id))
  return account && account.status !== 'blacklisted' ? { user, account } : undefined
}
