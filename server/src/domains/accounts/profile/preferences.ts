/** The signed-in user's preferences: language and units. */

import type { getPreferences, putPreferences } from '@waybill/contract/accounts/profile'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { presentUser } from '../present.ts'
import { updatePreferences } from '../queries.ts'
import { findIdentity } from '../rights.ts'

type Preferences = ResponseOf<typeof getPreferences>

/** The caller's preferences. */
export async function readPreferences(deps: Deps, caller: UserCaller): Promise<Preferences> {
  const identity = await findIdentity(deps.db, caller.userId)
  if (!identity) throw new AppError('session_expired')
  return { user: presentUser(deps, identity) }
}

/** Changes the caller's preferences. Throws version_conflict. */
export async function changePreferences(
  deps: Deps,
  caller: UserCaller,
  { language, weightUnit, dimensionUnit, version }: BodyOf<typeof putPreferences>,
): Promise<Preferences> {
  const set = { language, weight_unit: weightUnit, dimension_unit: dimensionUnit }
  const done = await updatePreferences(deps.db, caller.userId, version, set, deps.clock.now())
  if (!done) throw new AppError('version_conflict')
  return readPreferences(deps, caller)
}
