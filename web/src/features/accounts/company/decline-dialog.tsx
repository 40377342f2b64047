import { type Approval, declineOrder, listApprovals } from '@waybill/contract/orders/approvals'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** Declines an order. The requester can read the reason. */
export function DeclineDialog({ row, onClose }: { row: Approval; onClose: () => void }) {
  const t = useT()
  const form = useContractForm({
    schema: declineOrder.body,
    initial: { reason: '' },
    onSubmit: (body) => call(declineOrder, { params: { id: row.id }, body }),
    refresh: [listApprovals, getOrder, listOrders, listParcels, getCart, cartCount],
    refreshOnError: [listApprovals],
    success: t('approvals.declined', { number: row.orderNumber }),
    onSuccess: onClose,
  })
  return (
    <SaveDialog
      title={t('approvals.declineTitle', { number: row.orderNumber })}
      onClose={onClose}
      form={form}
      save={t('approvals.decline')}
    >
      <p>{t('approvals.declineText', { name: row.requestedBy.name })}</p>
      <TextField field={form.field('reason')} autoComplete="off" data-autofocus />
    </SaveDialog>
  )
}
