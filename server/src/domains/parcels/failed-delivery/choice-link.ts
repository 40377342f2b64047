// The delivery choice by the link of a mail: of the receiver, or of a sender without an account.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { makePublicDeliveryChoice, PublicDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { type DbOrTx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { hmacSha256, isMacOfAny } from '../../../lib/crypto.ts'
import type { ParcelRow } from '../queries.ts'
import { type OfferedTo, sharedView } from './options.ts'
import { planChoice } from './plan.ts'
import { findLastFailure, findParcelOfAnyAccount } from './queries.ts'
import { applyChoice, failureToAnswer } from './service.ts'

/** Whose link it is: a key for each, so that nobody makes a link of the sender from that of the receiver. */
const purposes = {
  receiver: 'delivery links',
  sender_without_wallet: 'delivery links of walk-ins',
} as const satisfies Partial<Record<OfferedTo, string>>
export type LinkHolder = keyof typeof purposes
const holders = ['receiver', 'sender_without_wallet'] as const satisfies LinkHolder[]

const readMac = (key: Buffer, payload: string) => hmacSha256(key, payload).subarray(0, 18)

/** The token of a link, valid for one parcel and one attempt until the deadline. */
export function makeLinkToken(
  { keys }: Deps,
  holder: LinkHolder,
  { parcelId, attempt, until }: { parcelId: string; attempt: number; until: Date },
): string {
  const payload = `${parcelId}.${attempt}.${Math.floor(until.getTime() / 1000).toString(36)}`
  return `${payload}.${readMac(keys.derive(purposes[holder]), payload).toString('base64url')}`
}

type Link = { parcelId: string; attempt: number; holder: LinkHolder }

/** Reads a token. Throws link_invalid for any invalid one, without saying why. */
function readToken({ keys, clock }: Deps, token: string): Link {
  const [parcelId = '', attempt = '', until = '', mac = ''] = token.split('.')
  const payload = `${parcelId}.${attempt}.${until}`
  const holder = holders.find((each) =>
    isMacOfAny(keys.derivations(purposes[each]), Buffer.from(mac, 'base64url'), (key) => readMac(key, payload)),
  )
  const isOver = Number.parseInt(until, 36) * 1000 <= clock.now().getTime()
  if (!holder || isOver) throw new AppError('link_invalid')
  return { parcelId, attempt: Number(attempt), holder }
}

const chooserByHolder = { receiver: 'receiver', sender_without_wallet: 'sender' } as const

async function linkView(deps: Deps, db: DbOrTx, row: ParcelRow, holder: LinkHolder): Promise<PublicDeliveryChoice> {
  const shared = await sharedView(deps, db, row, holder)
  return {
    ...shared,
    by: chooserByHolder[holder],
    city: row.receiver?.city ?? '',
    timezone: deps.settings.get('timezone'),
  }
}

/** The options of the link's holder. Throws link_invalid. */
export async function choiceByLink(deps: Deps, token: string): Promise<PublicDeliveryChoice> {
  const { parcelId, attempt, holder } = readToken(deps, token)
  const row = await findParcelOfAnyAccount(deps.db, parcelId, false)
  const failure = row && (await findLastFailure(deps.db, row))
  if (failure?.attempt !== attempt) throw new AppError('link_invalid')
  return linkView(deps, deps.db, row as ParcelRow, holder)
}

/**
 * Makes the choice of the link's holder. Throws link_invalid, carrier_has_parcel, transition_forbidden, already_chosen,
 * choice_closed, validation.
 */
export async function chooseByLink(
  deps: Deps,
  token: string,
  body: BodyOf<typeof makePublicDeliveryChoice>,
): Promise<PublicDeliveryChoice> {
  const { parcelId, attempt, holder } = readToken(deps, token)
  return tx(deps.db, async (trx) => {
    const row = await findParcelOfAnyAccount(trx, parcelId, true)
    const latest = row && (await findLastFailure(trx, row))
    if (!row || latest?.attempt !== attempt) throw new AppError('link_invalid')
    const failure = await failureToAnswer(trx, row)
    const details = { ...body, receiver: null }
    const plan = await planChoice(deps, trx, row, failure, details, holder)
    const chooser = { by: chooserByHolder[holder], userId: null }
    const parcel = await applyChoice(deps, trx, row, failure, details, plan, chooser)
    return linkView(deps, trx, parcel, holder)
  })
}
