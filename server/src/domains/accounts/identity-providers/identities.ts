/** The identities of a user: connecting, listing and disconnecting. */

import type { listIdentities } from '@waybill/contract/accounts/identity-providers'
import type { IdentityProvider } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { notify } from '../../notifications/notify.ts'
import { findProvider, offeredProviders } from '../../settings/login-methods.ts'
import type { Device } from '../devices/request-device.ts'
import { lockUserForUpdate, type UserKind, type UserRow } from '../queries.ts'
import { hasUsablePassword } from '../sign-in/passwords.ts'
import { deleteIdentity, type IdentityRow, insertIdentity, listIdentityRows } from './queries.ts'
import type { ProviderPerson } from './rules.ts'

async function notifyChange(
  trx: Tx,
  deps: Deps,
  user: UserRow,
  kind: 'identity_connected' | 'identity_removed',
  provider: IdentityProvider,
): Promise<void> {
  const label = findProvider(deps.settings, provider)?.label ?? provider
  await notify(deps, trx, { kind, to: { users: [user.id] }, facts: { provider: label } })
}

/**
 * Links a person at a provider to a user, who is notified by mail.
 * @throws identity_taken if the person is linked to another user; identity_namesake if the user is linked to another
 * person of the same provider.
 */
export async function connectIdentity(
  trx: Tx,
  deps: Deps,
  user: UserRow,
  provider: IdentityProvider,
  person: ProviderPerson,
  { device, used }: { device: Device; used: boolean },
): Promise<void> {
  const at = deps.clock.now()
  const id = newId()
  await insertIdentity(trx, {
    id,
    user_id: user.id,
    kind: user.kind,
    provider,
    issuer: person.issuer,
    subject: person.subject,
    email: person.email,
    created_at: at,
    last_used_at: used ? at : null,
  })
  await recordActivity(trx, {
    action: 'auth.identityConnected',
    level: 'NOTICE',
    accountId: user.account_id,
    userId: user.id,
    subject: id,
    detail: { provider },
    ip: device.ip,
    at,
  })
  await notifyChange(trx, deps, user, 'identity_connected', provider)
}

const present = (row: IdentityRow): ResponseOf<typeof listIdentities>['items'][number] => ({
  id: row.id,
  provider: row.provider,
  email: row.email,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

/** The identities of the caller. */
export async function listOwnIdentities(deps: Deps, caller: UserCaller): Promise<ResponseOf<typeof listIdentities>> {
  return { items: (await listIdentityRows(deps.db, caller.userId)).map(present) }
}

/** Whether a user could still sign in without this identity. */
function hasOtherWayIn(deps: Deps, user: UserRow, identities: readonly IdentityRow[]): boolean {
  if (hasUsablePassword(deps, user)) return true
  const usable = offeredProviders(deps.settings).filter(({ sides }) => sides.includes(user.kind as UserKind))
  return identities.some((row) => usable.some(({ provider }) => provider === row.provider))
}

/** Disconnects an identity of the caller. Throws not_found; identity_last if it is the last way to sign in. */
export async function disconnectIdentity(deps: Deps, caller: UserCaller, id: string, device: Device): Promise<void> {
  await tx(deps.db, async (trx) => {
    // Two identities that are disconnected at once must not both count on the other one.
    const user = await lockUserForUpdate(trx, caller.userId)
    const identities = await listIdentityRows(trx, caller.userId)
    const identity = identities.find((row) => row.id === id)
    if (!user || !identity) throw new AppError('not_found')
    const others = identities.filter((row) => row !== identity)
    if (!hasOtherWayIn(deps, user, others)) throw new AppError('identity_last')
    await deleteIdentity(trx, id)
    await recordActivity(trx, {
      action: 'auth.identityRemoved',
      level: 'NOTICE',
      accountId: user.account_id,
      userId: user.id,
      subject: id,
      detail: { provider: identity.provider },
      ip: device.ip,
      at: deps.clock.now(),
    })
    await notifyChange(trx, deps, user, 'identity_removed', identity.provider)
  })
}
