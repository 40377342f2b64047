/** The receiver's side of an address link: who asks for the address, and the address that the receiver enters. */
import type { answerAddressRequest, getPublicAddressRequest } from '@waybill/contract/addresses/requests'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import { recordActivity } from '../../../activity.ts'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { accountTopic } from '../../../http/live.ts'
import { sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { findAccountById } from '../../accounts/service.ts'
import { notify } from '../../notifications/notify.ts'
import { requireValidAddress } from '../check-address.ts'
import { insertAddress } from '../queries.ts'
import { findRequestByToken, markAnswered, type RequestRow } from './queries.ts'
import { requestStatus } from './service.ts'

/** Why a link does not work. Only holders of a real token see the reason, so guessing tokens reveals nothing. */
const refusals = {
  answered: 'address_link_used',
  expired: 'address_link_expired',
  withdrawn: 'address_link_withdrawn',
} as const satisfies Record<string, ErrorCode>

type Asker = { request: RequestRow; senderName: string }

/**
 * The open request of a token, and who sent it. Throws link_invalid for an unknown token and for an account that may
 * not send, address_link_used, address_link_expired, address_link_withdrawn.
 */
async function requireOpenRequest({ clock }: Deps, db: DbOrTx, token: string, lock: boolean): Promise<Asker> {
  const request = await findRequestByToken(db, sha256(token), lock)
  const account = request && (await findAccountById(db, request.account_id))
  if (!request || account?.status !== 'active') throw new AppError('link_invalid')
  const status = requestStatus(request, clock.now())
  if (status !== 'open') throw new AppError(refusals[status])
  return { request, senderName: account.name }
}

/**
 * The sender of the request. The account's other data stays hidden, including the label of the link. Throws the errors
 * of `requireOpenRequest`.
 */
export async function getPublicRequest(deps: Deps, token: string): Promise<ResponseOf<typeof getPublicAddressRequest>> {
  const { request, senderName } = await requireOpenRequest(deps, deps.db, token, false)
  const { settings } = deps
  const country = settings.get('countryCode')
  return { senderName, expiresAt: request.expires_at.toISOString(), country, timezone: settings.get('timezone') }
}

/**
 * Stores the receiver's address in the sender's address book and mails the sender. Throws the errors of
 * `requireOpenRequest` and `requireValidAddress`.
 */
export async function answerRequest(
  deps: Deps,
  token: string,
  body: BodyOf<typeof answerAddressRequest>,
): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { request } = await requireOpenRequest(deps, trx, token, true)
    const { account_id: accountId, label } = request
    const input = { ...body, label, kind: 'receiver' as const, isDefault: false }
    const content = { ...requireValidAddress(input, { by: null, at }), is_new: true }
    const addressId = newId()
    await insertAddress(trx, accountId, content, { id: addressId, by: request.created_by, at })
    await markAnswered(trx, request, { addressId, at })
    await recordActivity(trx, { action: 'addresses.answer', accountId, subject: addressId, at })
    await notify(deps, trx, {
      kind: 'address_filled_in',
      to: { users: [request.created_by] },
      facts: { receiver: body.contactName, city: body.city },
    })
    await deps.live.publish(trx, accountTopic(accountId), { type: 'addresses', id: addressId })
  })
}
