import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { cancelParcels, previewCancel } from '@waybill/contract/orders/refunds'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { RefundDialog } from '../../../components/refund-dialog.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'

/** Asks, and cancels these parcels as they were seen; all or none. */
export function CancelParcels({ parcels, onClose }: { parcels: readonly Parcel[]; onClose: () => void }) {
  const t = useT()
  const changed = useChanged()
  const once = useOnce()
  const ids = parcels.map(({ id }) => id)
  return (
    <RefundDialog
      title={t('cancelParcel.title', { count: ids.length })}
      count={ids.length}
      keep={t('cancelParcel.keep', { count: ids.length })}
      load={() => call(previewCancel, { body: { ids } })}
      cancel={async (refundTo, reason) => {
        const versions = Object.fromEntries(parcels.map(({ id, version }) => [id, version]))
        try {
          await once({ body: { ids, refundTo, reason, versions } }, (request) => call(cancelParcels, request))
        } finally {
          await changed(getParcel, listParcels, getCart, cartCount, getOrder, listOrders, getWallet)
        }
      }}
      onClose={onClose}
    />
  )
}
