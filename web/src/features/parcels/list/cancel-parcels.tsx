import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { cancelParcels, previewCancel } from '@waybill/contract/orders/refunds'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, type Parcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { RefundDialog } from '../shared/refund-dialog.tsx'

/** Cancels these parcels after a confirmation, all or none. If one of them has changed meanwhile, none is cancelled. */
export function CancelParcels({ parcels, onClose }: { parcels: readonly Parcel[]; onClose: () => void }) {
  const t = useT()
  const callOnce = useCallOnce()
  const ids = parcels.map(({ id }) => id)
  return (
    <RefundDialog
      title={t('cancelParcel.title', { count: ids.length })}
      count={ids.length}
      keep={t('cancelParcel.keep', { count: ids.length })}
      load={() => call(previewCancel, { body: { ids } })}
      cancel={(refundTo, reason) => {
        const versions = Object.fromEntries(parcels.map(({ id, version }) => [id, version]))
        return callOnce(cancelParcels, { body: { ids, refundTo, reason, versions } })
      }}
      refresh={[getParcel, listParcels, getCart, cartCount, getOrder, listOrders, getWallet]}
      onClose={onClose}
    />
  )
}
