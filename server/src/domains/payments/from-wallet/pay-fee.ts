/** Actions on a parcel that cost a fee: recall and return. */
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type {
  ActionsOfParcel,
  getParcelActions,
  recallParcel,
  returnParcel,
} from '@waybill/contract/parcels/allowed-actions'
import type { PriceLine } from '@waybill/contract/pricing/pricing'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import { runWrites } from '../../../db/writes.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { lockOpenAccount } from '../../accounts/service.ts'
import { requireSpending } from '../../orders/approvals/reads.ts'
import { planCharge } from '../../orders/charges.ts'
import { sumLines } from '../../orders/rules.ts'
import { allowedActions } from '../../parcels/access.ts'
import type { ParcelChanges, ParcelRow } from '../../parcels/queries.ts'
import { chargedActions, presentParcelRow, readParcel, requireRecallable } from '../../parcels/service.ts'
import { lockParcel, transitionParcel } from '../../parcels/transition.ts'
import { planReturnPickup, requestReturnPickup } from '../../pickups/visits/return-pickup.ts'
import { feeCharge } from '../../pricing/service.ts'
import { postWrites, withBalance } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import { withPin } from '../../wallet/service.ts'
import { paymentsWrite } from '../queries.ts'
import { buildOrderEntry, buildSettledPayment } from '../settled-order.ts'

type Action = 'recall' | 'return'
type RecallBody = BodyOf<typeof recallParcel>
type FeeResult = ResponseOf<typeof recallParcel>

const events = { recall: 'recalled', return: 'return_requested' } as const
const logged = { recall: 'parcels.recalled', return: 'parcels.returned' } as const

/** The actions that are possible now, with their fees. Throws not_found, also for another customer's. */
export async function listParcelActions(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
): Promise<ResponseOf<typeof getParcelActions>> {
  const row = await readParcel(deps.db, caller, id)
  const charged = chargedActions(deps, row)
  const of = (action: Action): ActionsOfParcel['recall'] => {
    const lines = feeCharge(deps, action)
    return { open: charged[action] === null, reason: charged[action], fee: { lines, totalMinor: sumLines(lines) } }
  }
  return {
    version: row.version,
    currency: deps.settings.get('currency'),
    allowed: allowedActions(deps, row, caller),
    recall: of('recall'),
    return: { ...of('return'), until: charged.returnableUntil?.toISOString() ?? null },
  }
}

/**
 * Has a delivered parcel returned, with a pickup at its receiver. Throws what `moveForFee` throws, not_covered,
 * pickup_full.
 */
export async function returnForFee(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { pickup: slot, ...body }: BodyOf<typeof returnParcel>,
  idempotency: Idempotency,
): Promise<ResponseOf<typeof returnParcel>> {
  const parcel = await readParcel(deps.db, caller, id)
  requireRecallable(deps, parcel, 'return')
  const plan = await planReturnPickup(deps, parcel, slot)
  return moveForFee(deps, caller, 'return', id, body, idempotency, async (trx, row) => {
    const pickup = await requestReturnPickup(deps, trx, row, plan)
    return { changes: { return_pickup_id: pickup.id }, result: { pickup } }
  })
}

/** Recalls a parcel. Throws what `moveForFee` throws. */
export function recallForFee(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  body: RecallBody,
  idempotency: Idempotency,
): Promise<FeeResult> {
  return moveForFee(deps, caller, 'recall', id, body, idempotency, async () => ({ changes: {}, result: {} }))
}

/** Runs before the move, in its transaction. Returns additional columns of the parcel, and what joins the response. */
type Preparation<R> = (trx: Tx, row: ParcelRow) => Promise<{ changes: ParcelChanges; result: R }>

/**
 * Moves a parcel for a fee, which is taken from the wallet in the same transaction. The parcel is locked before the
 * wallet, as in payments. Throws recall_while_delivering, return_window_over, transition_forbidden, version_conflict,
 * price_changed (the fee changed), account_closed, the errors of `withPin`, wallet_too_low.
 */
async function moveForFee<R extends object>(
  deps: Deps,
  caller: CustomerCaller,
  action: Action,
  id: string,
  body: RecallBody,
  idempotency: Idempotency,
  prepare: Preparation<R>,
): Promise<FeeResult & R> {
  const { accountId } = caller
  const { expectedFeeMinor, pin } = body
  const needed = { accountId, amountMinor: expectedFeeMinor, currency: deps.settings.get('currency') }
  const move = (proof: PinCheck | null) =>
    withBalance(deps, needed, () =>
      tx(deps.db, async (trx) => {
        const row = await lockParcel(trx, caller, id)
        if (row.version !== body.version) throw new AppError('version_conflict', { details: { version: row.version } })
        requireRecallable(deps, row, action)
        const lines = feeCharge(deps, action)
        const totalMinor = sumLines(lines)
        if (totalMinor !== expectedFeeMinor) {
          throw new AppError('price_changed', { details: { expectedTotalMinor: expectedFeeMinor, totalMinor } })
        }
        await lockOpenAccount(trx, accountId)
        const by = { actorId: caller.userId, note: body.reason }
        const { changes, result } = await prepare(trx, row)
        const movedRow = await transitionParcel(deps, trx, row, events[action], by, () => changes)
        await recordActivity(trx, customerActivity(caller, logged[action], [row.id], deps.clock.now()))
        const orderId = proof ? await payFee(deps, trx, caller, row, lines, proof) : null
        const answer = { parcel: presentParcelRow(deps, movedRow, caller), orderId, ...result }
        await idempotency.keep(trx, answer)
        return answer
      }),
    )
  if (expectedFeeMinor === 0) return move(null)
  // The PIN is checked first: otherwise repeated calls could test PINs without counting attempts.
  if (pin !== undefined) return withPin(deps, accountId, pin, move)
  // A parcel that cannot move is refused before a PIN is required.
  requireRecallable(deps, await readParcel(deps.db, caller, id), action)
  throw validationError({ field: 'pin', rule: 'required' })
}

/**
 * Takes the fee of a parcel from the wallet: order, invoice, payment and entry in one statement. The order has no
 * parcels, so its lines name the parcel, for its page and the invoice. Returns the order's id.
 */
export async function payFee(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  parcel: Pick<ParcelRow, 'id' | 'tracking_number'>,
  fee: readonly PriceLine[],
  proof: PinCheck,
): Promise<string> {
  const { userId } = caller
  const about = { parcelId: parcel.id, trackingNumber: parcel.tracking_number ?? '' }
  const lines = fee.map((line) => (line.kind === 'tax' ? line : { ...line, basis: { ...line.basis, ...about } }))
  await requireSpending(deps, trx, caller, sumLines(lines))
  const method = 'express_credit'
  const paymentId = newId()
  const { order, write } = await planCharge(deps, trx, caller, { lines, paymentId, method })
  const payment = buildSettledPayment(deps, order, { id: paymentId, method, actorId: userId })
  const entry = buildOrderEntry(order, payment, 'customer_wallet', 'orders.paid')
  await runWrites(trx, [write, ...(await postWrites(deps, trx, entry, proof)), paymentsWrite([payment])])
  return order.id
}
