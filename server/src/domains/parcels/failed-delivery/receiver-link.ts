// The receiver's delivery choice, by the link of their mail.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { makePublicDeliveryChoice, PublicDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { hmacSha256, isMacOfAny } from '../../../lib/crypto.ts'
import type { ParcelRow } from '../queries.ts'
import { sharedView } from './options.ts'
import { planChoice } from './plan.ts'
import { findLastFailure, findParcelOfLink } from './queries.ts'
import { applyChoice, failureToAnswer } from './service.ts'

const purpose = 'delivery links'

/** The token of a receiver's link, valid for one parcel and one attempt until the deadline. */
export function makeLinkToken({ keys }: Deps, parcelId: string, attempt: number, until: Date): string {
  const payload = `${parcelId}.${attempt}.${Math.floor(until.getTime() / 1000).toString(36)}`
  return `${payload}.${hmacSha256(keys.derive(purpose), payload).subarray(0, 18).toString('base64url')}`
}

/** Reads a token. Throws link_invalid for any invalid one, without saying why. */
function readToken({ keys, clock }: Deps, token: string): { parcelId: string; attempt: number } {
  const [parcelId = '', attempt = '', until = '', mac = ''] = token.split('.')
  const genuine = isMacOfAny(keys.derivations(purpose), Buffer.from(mac, 'base64url'), (key) =>
    hmacSha256(key, `${parcelId}.${attempt}.${until}`).subarray(0, 18),
  )
  if (!genuine || Number.parseInt(until, 36) * 1000 <= clock.now().getTime()) throw new AppError('link_invalid')
  return { parcelId, attempt: Number(attempt) }
}

async function receiverView(deps: Deps, db: DbOrTx, row: ParcelRow): Promise<PublicDeliveryChoice> {
  const shared = await sharedView(deps, db, row, 'receiver')
  return { ...shared, city: row.receiver?.city ?? '', timezone: deps.settings.get('timezone') }
}

/** The receiver's options. Throws link_invalid. */
export async function choiceByLink(deps: Deps, token: string): Promise<PublicDeliveryChoice> {
  const { parcelId, attempt } = readToken(deps, token)
  const row = await findParcelOfLink(deps.db, parcelId, false)
  const failure = row && (await findLastFailure(deps.db, row))
  if (failure?.attempt !== attempt) throw new AppError('link_invalid')
  return receiverView(deps, deps.db, row as ParcelRow)
}

/**
 * Makes the receiver's choice. Throws link_invalid, carrier_has_parcel, transition_forbidden, already_chosen,
 * choice_closed, validation.
 */
export async function chooseByLink(
  deps: Deps,
  token: string,
  body: BodyOf<typeof makePublicDeliveryChoice>,
): Promise<PublicDeliveryChoice> {
  const { parcelId, attempt } = readToken(deps, token)
  return tx(deps.db, async (trx) => {
    const row = await findParcelOfLink(trx, parcelId, true)
    const latest = row && (await findLastFailure(trx, row))
    if (!row || latest?.attempt !== attempt) throw new AppError('link_invalid')
    const failure = await failureToAnswer(trx, row)
    const details = { ...body, receiver: null }
    const plan = await planChoice(deps, trx, row, failure, details, 'receiver')
    const parcel = await applyChoice(deps, trx, row, failure, details, plan, { by: 'receiver', userId: null })
    return receiverView(deps, trx, parcel)
  })
}
