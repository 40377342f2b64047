// The pickup of a return: a rider fetches the parcel from its receiver.
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import type { Tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { ParcelRow } from '../../parcels/queries.ts'
import { insertPickup } from '../queries.ts'
import { furthestDays } from '../rules.ts'
import { listSlots, requireOpenSlot, reserveSlot } from '../windows/slots.ts'

export type ReturnPickup = { choice: PickupChoice; stationId: string | null }
type Slot = Pick<PickupChoice, 'date' | 'window'>

/**
 * Plans the pickup of a return: in the requested slot, or in the first open one. Throws validation, not_covered (no
 * rider comes to the address), pickup_full.
 */
export async function planReturnPickup(deps: Deps, row: ParcelRow, request: Slot | undefined): Promise<ReturnPickup> {
  const address = row.receiver
  if (!address) throw new AppError('not_found')
  const slot = request ?? (await firstOpenSlot(deps, row.account_id, address))
  const choice: PickupChoice = { address, ...slot }
  return { choice, ...(await requireOpenSlot(deps, deps.db, choice, { prefix: 'pickup.' })) }
}

async function firstOpenSlot(
  deps: Deps,
  accountId: string,
  { postcode, country }: PickupChoice['address'],
): Promise<Slot> {
  const { items } = await listSlots(deps, asAccountId(accountId), { postcode, country, days: furthestDays }).catch(
    (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'validation') throw error
      throw new AppError('not_covered', { fields: [{ field: 'receiver.postcode', rule: 'noService' }] })
    },
  )
  const open = items.find(({ closed }) => closed === null)
  if (!open) throw new AppError('pickup_full')
  return { date: open.date, window: open.window }
}

/** Books the pickup of a return, in the transaction that requests the return. Throws pickup_full. */
export async function requestReturnPickup(
  deps: Deps,
  trx: Tx,
  row: ParcelRow,
  { choice, stationId }: ReturnPickup,
): Promise<{ id: string; number: string; date: string; window: string }> {
  await reserveSlot(trx, stationId, choice, null)
  const id = newId()
  const number = await insertPickup(trx, {
    id,
    // Safe: the caller has locked the parcel as its owner.
    accountId: asAccountId(row.account_id),
    orderId: null,
    leg: 'return',
    choice,
    stationId,
    parcelCount: 1,
    at: deps.clock.now(),
  })
  return { id, number, date: choice.date, window: choice.window }
}
