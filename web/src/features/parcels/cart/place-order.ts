import { createOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import type { PickupChoice } from '@waybill/contract/pickups/pickup-choice'
import { confirm } from '../../../components/confirm.tsx'
import { ApiError } from '../../../lib/api.ts'
import type { Format } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n.ts'
import type { CallOnce } from '../../../lib/once.ts'

type OrderRequest = {
  parcelIds: readonly string[]
  /** The total that the user saw. */
  expectedTotalMinor: number
  pickup: PickupChoice | null
}

/**
 * Places the order at the price that the user saw. If the price has changed, asks the user to confirm the new one.
 * Returns null if the user declines. Throws the errors of `call`.
 */
export async function placeOrder(
  request: OrderRequest,
  { format, callOnce }: { format: Format; callOnce: CallOnce },
): Promise<OrderDetail | null> {
  const { parcelIds, pickup } = request
  let { expectedTotalMinor } = request
  for (;;) {
    try {
      const body = { parcelIds: [...parcelIds], expectedTotalMinor, pickup }
      return await callOnce(createOrder, { body })
    } catch (error) {
      const today = error instanceof ApiError && error.code === 'price_changed' ? error.details.totalMinor : null
      if (typeof today !== 'number') throw error
      const isConfirmed = await confirm({
        title: t('cart.priceChanged'),
        message: t('cart.priceChangedText', { before: format.money(expectedTotalMinor), now: format.money(today) }),
        action: t('cart.priceChangedAction', { now: format.money(today) }),
      })
      if (!isConfirmed) return null
      expectedTotalMinor = today
    }
  }
}
