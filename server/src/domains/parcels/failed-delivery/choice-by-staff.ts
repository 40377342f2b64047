// The delivery choice that staff record on behalf of a sender or receiver who calls or comes to a counter.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { recordDeliveryChoice, StaffDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { sharedView } from './options.ts'
import { planChoice } from './plan.ts'
import { findParcelOfAnyAccount } from './queries.ts'
import { applyChoice, failureToAnswer } from './service.ts'

type Body = BodyOf<typeof recordDeliveryChoice>

/** A fee needs the sender's PIN, which staff must not ask for. */
const offeredTo = { sender: 'sender_without_wallet', receiver: 'receiver' } as const

/** The options of the sender or the receiver. Throws not_found, transition_forbidden. */
export async function readChoiceForStaff(deps: Deps, id: string, by: Body['by']): Promise<StaffDeliveryChoice> {
  const row = await findParcelOfAnyAccount(deps.db, id, false)
  if (!row) throw new AppError('not_found')
  return sharedView(deps, deps.db, row, offeredTo[by])
}

/**
 * Makes the choice of the sender or the receiver, with the member of staff who recorded it. Throws not_found,
 * carrier_has_parcel, transition_forbidden, already_chosen, choice_closed, validation.
 */
export async function recordChoice(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { by, ...choice }: Body,
  idempotency: Idempotency,
): Promise<StaffDeliveryChoice> {
  return tx(deps.db, async (trx) => {
    const row = await findParcelOfAnyAccount(trx, id, true)
    if (!row) throw new AppError('not_found')
    const failure = await failureToAnswer(trx, row)
    const details = { ...choice, receiver: null }
    const plan = await planChoice(deps, trx, row, failure, details, offeredTo[by])
    const chooser = { by, userId: caller.userId, recordedByStaff: true }
    const parcel = await applyChoice(deps, trx, row, failure, details, plan, chooser)
    const answer = await sharedView(deps, trx, parcel, offeredTo[by])
    await idempotency.keep(trx, answer)
    return answer
  })
}
