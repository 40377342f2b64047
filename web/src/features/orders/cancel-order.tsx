import { Button } from '@mantine/core'
import { getOrder, listOrders, type OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, listCreditNotes, previewCancel } from '@waybill/contract/orders/refunds'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import { RefundDialog } from '../../components/refund-dialog.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useOnce } from '../../lib/once.ts'
import { useChanged } from '../../lib/query.ts'

/** The parcels of an order that may still be cancelled. */
export function cancellable({ parcels }: OrderDetail): readonly Parcel[] {
  return parcels.filter(({ allowedActions }) => allowedActions.includes('cancel'))
}

/**
 * Cancels what is still with the sender: the whole order, or what is left of it. Nothing where nothing can be
 * cancelled.
 */
export function CancelOrderButton({ order }: { order: OrderDetail }) {
  const t = useT()
  const [asking, setAsking] = useState(false)
  const parcels = cancellable(order)
  if (parcels.length === 0) return null
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        {t(parcels.length === order.parcels.length ? 'ordersPage.cancel' : 'ordersPage.cancelSome')}
      </Button>
      {asking && <CancelOrder order={order} parcels={parcels} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Asks, and cancels these parcels of an order. */
export function CancelOrder({
  order,
  parcels,
  onClose,
}: {
  order: OrderDetail
  parcels: readonly Parcel[]
  onClose: () => void
}) {
  const t = useT()
  const changed = useChanged()
  const once = useOnce()
  const ids = parcels.map(({ id }) => id)
  const whole = ids.length === order.parcels.length
  return (
    <RefundDialog
      title={whole ? t('cancelParcel.orderTitle') : t('cancelParcel.title', { count: ids.length })}
      count={ids.length}
      keep={whole ? t('cancelParcel.keepOrder') : t('cancelParcel.keep', { count: ids.length })}
      load={() => call(previewCancel, { body: { ids } })}
      cancel={async (refundTo, reason) => {
        try {
          const asked = { params: { id: order.id }, body: { parcelIds: ids, refundTo, reason } }
          await once(asked, (request) => call(cancelOrder, request))
        } finally {
          await changed(
            ...[getOrder, listOrders, listCreditNotes, getParcel, listParcels, getCart, cartCount, getWallet],
          )
        }
      }}
      onClose={onClose}
    />
  )
}
