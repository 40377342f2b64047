/** Links with which receivers enter their own address: the sender's side. */
import type { AddressRequest, createAddressRequest, listAddressRequests } from '@waybill/contract/addresses/requests'
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { countAddressLinkQuota } from '../../../http/limits/quota.ts'
import { days, later } from '../../../lib/clock.ts'
import { randomToken, sha256 } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { findAccountById } from '../../accounts/service.ts'
import { fact } from '../../notifications/facts.ts'
import { notify } from '../../notifications/notify.ts'
import { insertRequest, listRequestRows, lockRequest, markWithdrawn, type RequestRow } from './queries.ts'

/** The status of a link. An answered link stays answered after it has expired. */
export function requestStatus(
  row: Pick<RequestRow, 'answered_at' | 'withdrawn_at' | 'expires_at'>,
  now: Date,
): AddressRequest['status'] {
  if (row.answered_at) return 'answered'
  if (row.withdrawn_at) return 'withdrawn'
  return row.expires_at <= now ? 'expired' : 'open'
}

function presentRequest(row: RequestRow, now: Date): AddressRequest {
  return {
    id: row.id,
    label: row.label,
    email: row.email,
    status: requestStatus(row, now),
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    addressId: row.address_id,
  }
}

/**
 * Creates a link and mails it on request. Only its hash is stored, so it cannot be shown again, except to a repeated
 * request. Throws address_link_quota.
 */
export async function createRequest(
  deps: Deps,
  caller: CustomerCaller,
  { label, email, language }: BodyOf<typeof createAddressRequest>,
  locale: Locale,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof createAddressRequest>> {
  const { settings, clock, config, db } = deps
  await countAddressLinkQuota(deps, caller.accountId)
  const at = clock.now()
  const token = randomToken()
  const url = `${config.http.publicUrl}/public/address/${token}`
  return tx(db, async (trx) => {
    const row = await insertRequest(trx, caller.accountId, {
      id: newId(),
      token_hash: sha256(token),
      label,
      email,
      created_by: caller.userId,
      created_at: at,
      expires_at: later(at, days(settings.get('addresses.linkDays'))),
    })
    if (email !== null) {
      const sender = (await findAccountById(trx, caller.accountId))?.name ?? ''
      const to = { email, language: language ?? locale }
      const facts = { sender, until: fact.moment(row.expires_at), url }
      await notify(deps, trx, { kind: 'address_request', to, facts, expiresAt: row.expires_at })
    }
    const { accountId, userId } = caller
    await recordActivity(trx, { action: 'addresses.ask', accountId, userId, subject: row.id, at })
    const answer = { request: presentRequest(row, at), url }
    await idempotency.keep(trx, answer)
    return answer
  })
}

export async function listRequests(
  { db, clock }: Deps,
  accountId: AccountId,
  { offset, limit }: QueryOf<typeof listAddressRequests>,
): Promise<ResponseOf<typeof listAddressRequests>> {
  const { rows, total } = await listRequestRows(db, accountId, { offset, limit })
  return { items: rows.map((row) => presentRequest(row, clock.now())), total, offset, limit }
}

/** Withdraws an open link. Throws not_found, address_link_used for a link that was answered. */
export async function withdrawRequest({ db, clock }: Deps, caller: CustomerCaller, id: string): Promise<void> {
  await tx(db, async (trx) => {
    const row = await lockRequest(trx, caller.accountId, id)
    if (!row) throw new AppError('not_found')
    if (row.answered_at) throw new AppError('address_link_used')
    if (row.withdrawn_at) return
    const at = clock.now()
    await markWithdrawn(trx, row, at)
    const { accountId, userId } = caller
    await recordActivity(trx, { action: 'addresses.withdraw', accountId, userId, subject: id, at })
  })
}
