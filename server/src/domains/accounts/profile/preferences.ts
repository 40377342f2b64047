/** The signed-in user's preferences: language, units, and which mails they get. */
import { type getPreferences, type MailKind, mailKinds, type putPreferences } from '@waybill/contract/accounts/profile'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { presentUser } from '../present.ts'
import { findUserByEmail, updatePreferences } from '../queries.ts'
import { findIdentity } from '../rights.ts'
import type { SignedIn } from '../sign-in/sessions.ts'

type Preferences = ResponseOf<typeof getPreferences>

/** The templates of each kind of mail. A template that is not here is always sent. */
const templatesByKind: Record<MailKind, readonly string[]> = {
  parcels: ['parcel_stuck', 'parcel_late'],
  bulk: ['bulk_failed'],
  addresses: ['address_filled_in'],
  approvals: ['approval_asked', 'approval_approved', 'approval_declined', 'approval_expired'],
  cod: ['cod_payout'],
}

/** The caller's preferences. */
export async function readPreferences(deps: Deps, caller: SignedIn): Promise<Preferences> {
  const identity = await findIdentity(deps.db, caller.userId)
  if (!identity) throw new AppError('session_expired')
  const muted = identity.user.muted_mails
  return { user: presentUser(deps, identity), mutedMails: mailKinds.filter((kind) => muted.includes(kind)) }
}

/** Changes the caller's preferences. Throws version_conflict. */
export async function changePreferences(
  deps: Deps,
  caller: SignedIn,
  { language, weightUnit, dimensionUnit, mutedMails, version }: BodyOf<typeof putPreferences>,
): Promise<Preferences> {
  const muted = mailKinds.filter((kind) => mutedMails.includes(kind))
  const set = { language, weight_unit: weightUnit, dimension_unit: dimensionUnit, muted_mails: muted }
  const done = await updatePreferences(deps.db, caller.userId, version, set, deps.clock.now())
  if (!done) throw new AppError('version_conflict')
  return readPreferences(deps, caller)
}

/**
 * Whether the customer with this address has switched a mail off. Asked when it is sent, so that a change counts for
 * mails that wait.
 */
export async function isMailMuted(db: DbOrTx, email: string, template: string): Promise<boolean> {
  const kind = mailKinds.find((each) => templatesByKind[each].includes(template))
  if (!kind) return false
  const user = await findUserByEmail(db, 'customer', email.toLowerCase())
  return user?.muted_mails.includes(kind) ?? false
}
