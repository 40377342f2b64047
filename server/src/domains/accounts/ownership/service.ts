/** Ownership transfers: the owner offers the company, a member accepts, and their rights are swapped. */
import type { getOwnershipOffer, OwnershipOffer, offerOwnership } from '@waybill/contract/accounts/ownership'
import { ownershipOfferDays } from '@waybill/contract/accounts/ownership'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { days, later } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { notify } from '../../notifications/notify.ts'
import { lockMembers } from '../company/queries-members.ts'
import type { Device } from '../devices/request-device.ts'
import { withProof } from '../profile/proof.ts'
import { findAccount, type UserRow } from '../queries.ts'
import { revokeTokens } from '../rights.ts'
import { findUserNames } from '../service.ts'
import {
  decideOffer,
  expireOffers,
  findOffer,
  findOpenOffer,
  insertOffer,
  lockOpenOffer,
  type OfferRow,
  swapOwner,
} from './queries.ts'

async function present(deps: Deps, caller: CustomerCaller, row: OfferRow): Promise<OwnershipOffer> {
  const names = await findUserNames(deps.db, [row.from_user_id, row.to_user_id])
  const person = (id: string) => ({ id, name: names.get(id) ?? '' })
  return {
    id: row.id,
    from: person(row.from_user_id),
    to: person(row.to_user_id),
    toYou: row.to_user_id === caller.userId,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}

/** The open offer, visible to its owner and its member. */
export async function readOffer(deps: Deps, caller: CustomerCaller): Promise<ResponseOf<typeof getOwnershipOffer>> {
  const row = await findOpenOffer(deps.db, caller.accountId, deps.clock.now())
  const concerned = row && [row.from_user_id, row.to_user_id].includes(caller.userId)
  return { offer: concerned ? await present(deps, caller, row) : null }
}

/** Whether a member can become the owner: not removed, active, and signed in before, so that the address is proven. */
const canOwn = (user: UserRow | undefined): user is UserRow =>
  user !== undefined && !user.is_owner && user.status === 'active' && user.invited_email === null

/**
 * Offers the company to a member. Throws the errors of the proof, not_found (no such member), ownership_member,
 * ownership_offer_open, session_expired (the caller is no longer the owner).
 */
export async function makeOffer(
  deps: Deps,
  caller: CustomerCaller,
  { memberId, ...proof }: BodyOf<typeof offerOwnership>,
  device: Device,
): Promise<OwnershipOffer> {
  const { accountId, userId } = caller
  const now = deps.clock.now()
  const expiresAt = later(now, days(ownershipOfferDays))
  const row = {
    id: newId(),
    account_id: accountId,
    from_user_id: userId,
    to_user_id: memberId,
    created_at: now,
    expires_at: expiresAt,
  }
  await withProof(deps, caller, { step: 'offer_ownership', proof, device }, async (trx) => {
    const users = await lockMembers(trx, accountId, [userId, memberId])
    const owner = users.find(({ id }) => id === userId)
    const member = users.find(({ id }) => id === memberId)
    if (!owner?.is_owner) throw new AppError('session_expired')
    if (!member) throw new AppError('not_found')
    if (!canOwn(member)) throw new AppError('ownership_member')
    await expireOffers(trx, accountId, now)
    if (!(await insertOffer(trx, row))) throw new AppError('ownership_offer_open')
    await record(trx, caller, 'ownershipOffered', row, now)
    await notifyUser(trx, deps, member, 'ownership_offered', owner.name)
  })
  return present(deps, caller, row)
}

type LockedOffer = { offer: OfferRow; owner: UserRow; member: UserRow }

/**
 * Locks an open offer with its owner and member: users first, as every change of a member does. Throws not_found for
 * an offer in which the caller is not `side`; ownership_offer_over for one that was decided, has expired, or whose
 * owner or member has left.
 */
async function lockOffer(
  trx: Tx,
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  side: 'from_user_id' | 'to_user_id',
): Promise<LockedOffer> {
  const offer = await findOffer(trx, caller.accountId, id)
  if (!offer || offer[side] !== caller.userId) throw new AppError('not_found')
  const users = await lockMembers(trx, caller.accountId, [offer.from_user_id, offer.to_user_id])
  const owner = users.find((user) => user.id === offer.from_user_id)
  const member = users.find((user) => user.id === offer.to_user_id)
  const isOpen = await lockOpenOffer(trx, id, deps.clock.now())
  if (!isOpen || !owner?.is_owner || !member) throw new AppError('ownership_offer_over')
  return { offer, owner, member }
}

/** Withdraws one of the caller's own offers. Throws not_found, ownership_offer_over. */
export async function withdrawOffer(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { offer } = await lockOffer(trx, deps, caller, id, 'from_user_id')
    await decideOffer(trx, id, 'withdrawn', at)
    await record(trx, caller, 'ownershipWithdrawn', offer, at)
  })
}

/** Declines an offer to the caller, and mails the owner. Throws not_found, ownership_offer_over. */
export async function declineOffer(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { offer, owner, member } = await lockOffer(trx, deps, caller, id, 'to_user_id')
    await decideOffer(trx, id, 'declined', at)
    await record(trx, caller, 'ownershipDeclined', offer, at)
    await notifyUser(trx, deps, owner, 'ownership_declined', member.name)
  })
}

/**
 * Makes the caller the owner, and gives the former owner the rights that the caller had. Both get new tokens and a
 * mail; API keys of the former owner are revoked. Throws not_found, ownership_offer_over, ownership_member.
 */
export async function acceptOffer(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const { offer, owner, member } = await lockOffer(trx, deps, caller, id, 'to_user_id')
    if (!canOwn(member)) throw new AppError('ownership_member')
    await swapOwner(trx, offer, at)
    await decideOffer(trx, id, 'accepted', at)
    await revokeTokens(trx, deps, owner.id, member.id)
    await record(trx, caller, 'ownershipAccepted', offer, at)
    const event = { accountId: caller.accountId, formerOwnerId: owner.id, ownerId: member.id }
    await deps.outbox.emit(trx, 'company.owner_changed', event)
    await notifyUser(trx, deps, owner, 'ownership_given', member.name)
    await notifyUser(trx, deps, member, 'ownership_taken', owner.name)
  })
}

async function record(trx: Tx, caller: CustomerCaller, verb: string, offer: OfferRow, at: Date): Promise<void> {
  await recordActivity(trx, {
    action: `corporate.${verb}`,
    level: 'NOTICE',
    accountId: caller.accountId,
    userId: caller.userId,
    subject: offer.id,
    detail: { from: offer.from_user_id, to: offer.to_user_id },
    at,
  })
}

async function notifyUser(
  trx: Tx,
  deps: Deps,
  to: UserRow,
  kind: 'ownership_offered' | 'ownership_declined' | 'ownership_given' | 'ownership_taken',
  other: string,
): Promise<void> {
  const account = to.account_id === null ? undefined : await findAccount(trx, to.account_id)
  const facts = { other, account: account?.name ?? '', days: ownershipOfferDays }
  await notify(deps, trx, { kind, to: { users: [to.id] }, facts })
}
