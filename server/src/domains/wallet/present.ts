/** Formats movements for the API. */
import type { Movement } from '@waybill/contract/wallet/wallet'
import type { WalletMovementRow } from './queries.ts'

/** A posting of a wallet with its entry. */
export function presentMovement(row: WalletMovementRow): Movement {
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    reference: row.reference,
    orderId: row.order_id,
    amountMinor: row.amount_minor,
    balanceAfterMinor: row.balance_after_minor,
  }
}
