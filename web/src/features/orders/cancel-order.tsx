import { Button } from '@mantine/core'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { cancelOrder, listCreditNotes, previewCancel } from '@waybill/contract/orders/refunds'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useCallOnce } from '../../lib/once.ts'
import { changedByCheckout } from '../parcels/shared/changed-by-checkout.ts'
import { RefundDialog } from '../parcels/shared/refund-dialog.tsx'

/** The parcels of an order that may still be cancelled. */
export function cancellable({ parcels }: OrderDetail): readonly Parcel[] {
  return parcels.filter(({ allowedActions }) => allowedActions.includes('cancel'))
}

/** Cancels the parcels that are still with the sender: the whole order, or the rest of it. Hidden if there are none. */
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

/** Cancels these parcels of an order, after a question with the refund. */
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
  const callOnce = useCallOnce()
  const ids = parcels.map(({ id }) => id)
  const whole = ids.length === order.parcels.length
  return (
    <RefundDialog
      title={whole ? t('cancelParcel.orderTitle') : t('cancelParcel.title', { count: ids.length })}
      count={ids.length}
      keep={whole ? t('cancelParcel.keepOrder') : t('cancelParcel.keep', { count: ids.length })}
      note={!whole && order.status === 'pending_payment' ? t('pendingCheckout.ends') : undefined}
      load={() => call(previewCancel, { body: { ids } })}
      cancel={(refundTo, reason) =>
        callOnce(cancelOrder, {
          params: { id: order.id },
          body: { ...(whole ? {} : { parcelIds: ids }), refundTo, reason },
        })
      }
      refresh={[...changedByCheckout, listCreditNotes, getWallet]}
      onClose={onClose}
    />
  )
}
