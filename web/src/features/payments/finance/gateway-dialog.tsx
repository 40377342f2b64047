import { Button, Textarea } from '@mantine/core'
import {
  type GatewayTrouble,
  gatewayReviewInput,
  listGatewayTroubles,
  reviewGatewayTrouble,
} from '@waybill/contract/payments/gateway'
import { Dialog, DialogFoot } from '../../../components/dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { notify } from '../../../components/notify.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useChanged } from '../../../lib/query.ts'
import classes from './finance.module.css'

/** An answer of the gateway is dealt with: what was found out and done stands beside it. */
export function GatewayDialog({ row, onClose }: { row: GatewayTrouble; onClose: () => void }) {
  const t = useT()
  const changed = useChanged()
  const form = useContractForm({
    schema: gatewayReviewInput,
    initial: { version: row.version, review: 'handled', note: row.reviewNote ?? '' },
    onSubmit: async (body) => {
      try {
        await call(reviewGatewayTrouble, { params: { id: row.id }, body })
      } finally {
        await changed(listGatewayTroubles)
      }
      notify.success(t('gatewayPage.dealt'))
      onClose()
    },
  })
  const note = form.field('note', t('gatewayPage.note'))
  const reference = row.expected?.reference ?? row.came.reference ?? row.id
  return (
    <Dialog title={t('gatewayPage.dealTitle', { reference })} onClose={onClose} sticky={form.dirty}>
      <form {...form.props} className={classes.form}>
        <p>{t('gatewayPage.dealText')}</p>
        <Textarea
          {...fieldProps(note)}
          value={note.value}
          onChange={(event) => note.onChange(event.currentTarget.value)}
          rows={4}
          data-autofocus
        />
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('gatewayPage.deal')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
