import type { PaymentMethod } from '@waybill/contract/ground/enums/enums'

/**
 * The preselected payment method: the first open one, but never insufficient credits if there is another.
 * `balanceMinor` is undefined for users who may not see the wallet.
 */
export function findUsualMethod(
  open: readonly PaymentMethod[],
  totalMinor: number,
  balanceMinor: number | undefined,
): PaymentMethod | null {
  const isTooLittle = balanceMinor !== undefined && balanceMinor < totalMinor
  return open.find((method) => method !== 'express_credit' || !isTooLittle) ?? open[0] ?? null
}
