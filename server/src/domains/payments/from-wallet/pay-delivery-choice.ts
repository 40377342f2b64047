/** Payment of the fee of a delivery choice. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { DeliveryChoice, makeDeliveryChoice } from '@waybill/contract/parcels/failed-delivery'
import { tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { authorize, type CustomerCaller } from '../../../http/caller.ts'
import { validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { chooseAsSender } from '../../parcels/failed-delivery/service.ts'
import { withBalance } from '../../wallet/ledger/service.ts'
import type { PinCheck } from '../../wallet/queries.ts'
import { withPin } from '../../wallet/service.ts'
import { payFee } from './pay-fee.ts'

/**
 * Applies the sender's choice after a failed delivery and takes its fee from the wallet, in one transaction. Throws
 * what `chooseAsSender` and `withPin` throw, forbidden (a fee without the right to pay), validation (a fee without a
 * PIN), wallet_too_low.
 */
export async function chooseForFee(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { pin, ...choice }: BodyOf<typeof makeDeliveryChoice>,
  idempotency: Idempotency,
): Promise<DeliveryChoice> {
  const { accountId } = caller
  const { expectedFeeMinor } = choice
  const needed = { accountId, amountMinor: expectedFeeMinor, currency: deps.settings.get('currency') }
  const choose = (proof: PinCheck | null) =>
    withBalance(deps, needed, () =>
      tx(deps.db, async (trx) => {
        const { row, lines, recordOrder, view } = await chooseAsSender(deps, trx, caller, id, choice)
        // The fee was already compared with the one that the customer saw.
        if (proof) await recordOrder(await payFee(deps, trx, caller, row, lines, proof))
        const answer = await view()
        await idempotency.keep(trx, answer)
        return answer
      }),
    )
  if (expectedFeeMinor === 0) return choose(null)
  authorize('pay.owed', caller)
  if (pin === null) throw validationError({ field: 'pin', rule: 'required' })
  return withPin(deps, accountId, pin, choose)
}
