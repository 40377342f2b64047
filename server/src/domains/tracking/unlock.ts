// The receiver unlocks the proof of delivery and the full address with postcode and phone digits.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { unlockMinutes } from '@waybill/contract/tracking/requests'
import type { TrackingUnlock, UnlockedDelivery, unlockTracking } from '@waybill/contract/tracking/unlock'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../http/errors.ts'
import { countThrottledAttempt, resetThrottle, type Throttle } from '../../http/limits/throttle.ts'
import { hmacSha256, isMacOfAny, sameBytes, sha256 } from '../../lib/crypto.ts'
import { findOwnNumber } from '../parcels/carrier-handover/bookings.ts'
import { type Delivery, findDelivery } from '../parcels/timeline/delivery.ts'
import { parseParcelNumber } from '../parcels/tracking-number.ts'
import { receiverKey } from './rules.ts'

/**
 * Five attempts, then one an hour after the last: never more than five in any hour. The subject is the tracking number
 * alone, so that many IP addresses gain nothing.
 */
const attempts: Throttle = {
  name: 'tracking unlock',
  free: 5,
  firstWait: 3600,
  longestWait: 3600,
  memory: 3600,
}

const purpose = 'tracking unlocks'

/**
 * Unlocks a delivery. Unknown numbers count attempts and get the same response as a wrong postcode, so that nothing is
 * revealed.
 * @throws AppError unlock_wrong, unlock_attempts
 */
export async function unlockDelivery(
  deps: Deps,
  { number, postcode, phoneDigits }: BodyOf<typeof unlockTracking>,
): Promise<TrackingUnlock> {
  const own = await findOwnNumber(deps, parseParcelNumber(number, deps.settings.get('tracking.prefix')).number)
  await countAttempt(deps, own)
  const delivery = await findDelivery(deps, own)
  const key = delivery ? receiverKey(delivery.receiver) : ''
  const isReceiver = sameBytes(sha256(key), sha256(receiverKey({ postcode, phone: phoneDigits })))
  if (!delivery || !isReceiver) throw new AppError('unlock_wrong')
  await resetThrottle(deps.db, attempts, own)
  const end = Math.floor(deps.clock.now().getTime() / 1000) + unlockMinutes * 60
  return {
    token: makeToken(deps, delivery, end),
    endsAt: new Date(end * 1000).toISOString(),
    delivery: await presentDelivery(delivery),
  }
}

async function countAttempt({ db, clock }: Deps, number: string): Promise<void> {
  try {
    await countThrottledAttempt(db, attempts, number, clock.now())
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_many_requests') throw error
    const retryAfter = error.extra.retryAfter ?? attempts.longestWait
    throw new AppError('unlock_attempts', { retryAfter, vars: { minutes: Math.ceil(retryAfter / 60) } })
  }
}

/** The delivery of a token. Throws unlock_over for any invalid one, without saying why. */
export async function readUnlockedDelivery(deps: Deps, token: string): Promise<UnlockedDelivery> {
  const [number = '', end = '', mac = ''] = token.split('.')
  const isOver = Number(end) * 1000 <= deps.clock.now().getTime()
  const delivery = isOver ? null : await findDelivery(deps, number)
  const isGenuine =
    delivery !== null &&
    isMacOfAny(deps.keys.derivations(purpose), Buffer.from(mac, 'base64url'), (key) =>
      tokenMac(key, delivery, Number(end)),
    )
  if (!isGenuine) throw new AppError('unlock_over')
  return presentDelivery(delivery)
}

function makeToken({ keys }: Deps, delivery: Delivery, end: number): string {
  return `${delivery.trackingNumber}.${end}.${tokenMac(keys.derive(purpose), delivery, end).toString('base64url')}`
}

/** The MAC covers the receiver's data: once the address is corrected, the token of the former receiver is invalid. */
function tokenMac(key: Buffer, { parcelId, receiver }: Delivery, end: number): Buffer {
  return hmacSha256(key, `${parcelId} ${end} ${receiverKey(receiver)}`)
}

/** Field by field, so that no new field of the receiver is exposed by mistake. */
async function presentDelivery({ trackingNumber, receiver, readProof }: Delivery): Promise<UnlockedDelivery> {
  const { contactName, company, line1, line2, postcode, city, state, country } = receiver
  const proof = await readProof()
  return {
    trackingNumber,
    receiver: { contactName, company, line1, line2, postcode, city, state, country },
    proof: proof && { ...proof, at: proof.at.toISOString() },
  }
}
