import { Button } from '@mantine/core'
import { type Approval, declineOrder, listApprovals } from '@waybill/contract/orders/approvals'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { cartCount, getCart, listParcels } from '@waybill/contract/parcels/parcels'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { TextField } from '../../../components/form/text-field.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { notify } from '../../../components/notify.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChanged } from '../../../lib/query.ts'

/** Declines an order, with the reason that whoever asked reads. */
export function DeclineDialog({ row, onClose }: { row: Approval; onClose: () => void }) {
  const t = useT()
  const changed = useChanged()
  const form = useContractForm({
    schema: declineOrder.body,
    initial: { reason: '' },
    onSubmit: async (body) => {
      try {
        await call(declineOrder, { params: { id: row.id }, body })
      } finally {
        await changed(listApprovals)
      }
      await changed(getOrder, listOrders, listParcels, getCart, cartCount)
      notify.success(t('approvals.declined', { number: row.orderNumber }))
      onClose()
    },
  })
  return (
    <Dialog title={t('approvals.declineTitle', { number: row.orderNumber })} onClose={onClose}>
      <Stack {...form.props} as="form">
        <p>{t('approvals.declineText', { name: row.requestedBy.name })}</p>
        <TextField field={form.field('reason')} autoComplete="off" data-autofocus />
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('approvals.decline')}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
