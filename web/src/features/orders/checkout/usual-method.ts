import type { PaymentMethod } from '@waybill/contract/ground/enums'

/**
 * The payment method that is selected at first: the first open one, but never credits that do not suffice while there
 * is another. `balanceMinor` is undefined for users who may not see the wallet.
 */
export function findUsualMethod(
  open: readonly PaymentMethod[],
  totalMinor: number,
  balanceMinor: number | undefined,
): PaymentMethod | null {
  const isTooLittle = balanceMinor !== undefined && balanceMinor < totalMinor
  return open.find((method) => method !== 'express_credit' || !isTooLittle) ?? open[0] ?? null
}
