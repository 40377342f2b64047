/** Approval of an order that is billed monthly. */
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { Approval, approveOrder } from '@waybill/contract/orders/approvals'
import { tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import type { Idempotency } from '../../http/idempotency.ts'
import { getApproval } from '../orders/approvals/reads.ts'
import { takeApproval } from '../orders/approvals/service.ts'
import { billOrder } from './pay-by-month.ts'

/**
 * Approves an order and bills it in one transaction, against the monthly limit of the requester. Locks: order,
 * parcels, the company's conditions. Throws the errors of `takeApproval`, and payment_method_closed like
 * `payByBilling`; the order then stays pending.
 */
export async function approveAndBill(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { expectedTotalMinor }: BodyOf<typeof approveOrder>,
  idempotency: Idempotency,
): Promise<Approval> {
  return tx(deps.db, async (trx) => {
    const { requestedBy, ...locked } = await takeApproval(deps, trx, caller, id, expectedTotalMinor)
    const requester: CustomerCaller = {
      ...caller,
      userId: requestedBy,
      isOwner: requestedBy === caller.userId && caller.isOwner,
    }
    const answer = await getApproval(trx, caller, id)
    const keyedResponse = idempotency.toKeyedResponse(answer)
    await billOrder(deps, trx, requester, locked, () => ({ answer, keyedResponse }))
    return answer
  })
}
