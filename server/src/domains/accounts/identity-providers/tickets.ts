/** Tickets of newcomers: people who signed in at a provider but are not linked to a user yet. */
import type { Newcomer } from '@waybill/contract/accounts/identity-providers'
import type { IdentityProvider, SignInSide } from '@waybill/contract/ground/constants'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { hours } from '../../../lib/clock.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { issueCode } from '../sign-in/codes.ts'
import { lockCodeOfLink } from '../sign-in/queries-codes.ts'
import type { ProviderPerson } from './rules.ts'

const purpose = 'identity_ticket'
/** Long enough to wait for a mail and to fill in a form. */
const ticketLivesMs = hours(1)

export type NewcomerPayload = {
  provider: IdentityProvider
  side: SignInSide
  person: ProviderPerson
  /** The address that a mailed code has verified. */
  provenEmail: string | null
}

/** Issues a ticket, which identifies the person until an account is found or opened. */
export async function issueNewcomerTicket(trx: DbOrTx, deps: Deps, payload: NewcomerPayload): Promise<Newcomer> {
  const { linkToken } = await issueCode(trx, deps, { purpose, subject: newId(), livesMs: ticketLivesMs, payload })
  const { provider, side, person, provenEmail } = payload
  return {
    ticket: linkToken,
    provider,
    side,
    email: provenEmail ?? person.email,
    name: person.name,
    emailProven: provenEmail !== null,
  }
}

/** The newcomer of a ticket, locked. Throws identity_ticket if it is used, expired or invalid. */
export async function lockNewcomer(trx: DbOrTx, deps: Deps, ticket: string): Promise<NewcomerPayload & { id: string }> {
  const row = await lockCodeOfLink(trx, purpose, sha256(ticket))
  if (!row || row.used_at !== null || row.expires_at <= deps.clock.now()) throw new AppError('identity_ticket')
  return { ...(row.payload as unknown as NewcomerPayload), id: row.id }
}
