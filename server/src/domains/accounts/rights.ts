import type { DbOrTx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import { asAccountId } from '../../http/caller.ts'
import { later, minutes } from '../../lib/clock.ts'
import type { Identity } from './present.ts'
import { changesSince, findAccount, findUser } from './queries.ts'

/** The live topic by which processes tell each other whose tokens are void. */
const revokeTopic = 'revoke'

/** A little longer than the longest access token lives. */
const rememberedMs = minutes(15)

/**
 * Voids the access tokens made so far for sessions, users or accounts: in this process at once, in every other when the
 * transaction commits. Whoever still has a session gets a new token with its next refresh; the others have to sign in.
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

/** Reads what a process that has just started, or was cut off from the others, did not hear of. */
async function readRevocations(deps: Deps): Promise<void> {
  for (const { id, at } of await changesSince(deps.db, later(deps.clock.now(), -rememberedMs)))
    deps.tokens.revoke(id, at)
}

/** From now on this process refuses the tokens that any process has voided, those of the last minutes included. */
export async function followRevocations(deps: Deps): Promise<void> {
  deps.live.subscribe(revokeTopic, (data) => {
    const { id, at } = data as { id: string; at: string }
    deps.tokens.revoke(id, new Date(at))
  })
  deps.live.onReconnect(() => readRevocations(deps))
  await readRevocations(deps)
}

/** The user with its account; undefined when there is none, or when it may not even sign in. */
export async function findIdentity(db: DbOrTx, userId: string): Promise<Identity | undefined> {
  const user = await findUser(db, userId)
  if (!user || user.status === 'blacklisted') return undefined
  if (user.account_id === null) return user.status === 'active' ? { user, account: null } : undefined
  // The account that the user's own row names: nobody outside chose it.
  const account = await findAccount(db, asAccountId(user.account_id))
  return account && account.status !== 'blacklisted' ? { user, account } : undefined
}
