import { useNavigate } from '@tanstack/react-router'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { priceSummary, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { notify } from '../../../components/feedback/notify.tsx'
import { notifyProblem } from '../../../components/feedback/use-send.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useRefresh } from '../../../lib/query.ts'
import { openSlot, type PickupClock, type PickupSlot } from '../cart/pickup-slots.ts'
import { placeOrder } from '../cart/place-order.ts'
import type { Intent } from '../parcel-actions-panel.tsx'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'
import type { ParcelValues } from './parcel-values.ts'

type Context = { isEditing: boolean; quote: ServiceQuote | null; slot: PickupSlot | null; clock: PickupClock }

/** The page after a parcel is saved: the checkout of its order, or the cart. */
export function useLeave({ isEditing, quote, slot, clock }: Context) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const callOnce = useCallOnce()

  /** Null: no order was placed. The parcel is in the cart and can be ordered there. */
  async function placeOrderFor(parcel: Parcel, byPickup: boolean) {
    const pickup = byPickup ? { address: parcel.sender as Party, ...openSlot(slot, clock) } : null
    try {
      const shownMinor = quote?.price?.totalMinor ?? parcel.priceMinor ?? 0
      // A booked visit is free. A total below the shown price needs no confirmation.
      const summary = await call(priceSummary, { body: { parcelIds: [parcel.id], pickup } })
      const expectedTotalMinor = Math.min(shownMinor, summary.totalMinor)
      const order = await placeOrder({ parcelIds: [parcel.id], expectedTotalMinor, pickup }, { format, callOnce })
      await refresh(...changedByCheckout)
      return order
    } catch (error) {
      notifyProblem(error)
      return null
    }
  }

  return async (intent: Exclude<Intent, 'another' | 'draft'>, parcel: Parcel, values: ParcelValues) => {
    const byPickup = isPickedUp(values.deliveryMode)
    const order = intent === 'pay' ? await placeOrderFor(parcel, byPickup) : null
    if (order) {
      // The back button leads to this parcel. With an empty form the user would create it a second time.
      await navigate({ to: '/parcels/new', search: { id: parcel.id }, replace: true })
      await navigate({ to: '/checkout/$orderId', params: { orderId: order.id } })
      return
    }
    if (intent !== 'pay')
      notify.success(t(isEditing ? 'newParcel.saved' : 'newParcel.added', { name: values.receiver.contactName }))
    await navigate({ to: '/cart', search: { tab: byPickup ? 'pickup' : 'dropoff' } })
  }
}
