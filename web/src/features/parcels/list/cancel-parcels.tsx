import { checkoutStatuses } from '@waybill/contract/ground/status/parcel-status'
import { cancelParcels, previewCancel } from '@waybill/contract/orders/refunds'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'
import { RefundDialog } from '../shared/refund-dialog.tsx'

/** Cancels these parcels after a confirmation, all or none. If one of them has changed meanwhile, none is cancelled. */
export function CancelParcels({ parcels, onClose }: { parcels: readonly Parcel[]; onClose: () => void }) {
  const t = useT()
  const callOnce = useCallOnce()
  const ids = parcels.map(({ id }) => id)
  const isInCheckout = parcels.some(({ status, orderId }) => orderId !== null && checkoutStatuses.includes(status))
  return (
    <RefundDialog
      title={t('cancelParcel.title', { count: ids.length })}
      count={ids.length}
      keep={t('cancelParcel.keep', { count: ids.length })}
      note={isInCheckout ? t('pendingCheckout.ends') : undefined}
      load={() => call(previewCancel, { body: { ids } })}
      cancel={(refundTo, reason) => {
        const versions = Object.fromEntries(parcels.map(({ id, version }) => [id, version]))
        return callOnce(cancelParcels, { body: { ids, refundTo, reason, versions } })
      }}
      refresh={[...changedByCheckout, getWallet]}
      onClose={onClose}
    />
  )
}
