import { Textarea } from '@mantine/core'
import {
  type GatewayTrouble,
  gatewayReviewInput,
  listGatewayTroubles,
  reviewGatewayTrouble,
} from '@waybill/contract/payments/gateway'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { fieldProps } from '../../../components/form/field-props.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'

/** Marks a doubtful gateway response as resolved, with a note. */
export function GatewayDialog({ row, onClose }: { row: GatewayTrouble; onClose: () => void }) {
  const t = useT()
  const form = useContractForm({
    schema: gatewayReviewInput,
    initial: { version: row.version, review: 'handled', note: row.reviewNote ?? '' },
    onSubmit: (body) => call(reviewGatewayTrouble, { params: { id: row.id }, body }),
    refresh: [listGatewayTroubles],
    refreshOnError: [listGatewayTroubles],
    success: t('gatewayPage.dealt'),
    onSuccess: onClose,
  })
  const note = form.field('note', t('gatewayPage.note'))
  const reference = row.expected?.reference ?? row.came.reference ?? row.id
  return (
    <SaveDialog
      title={t('gatewayPage.dealTitle', { reference })}
      onClose={onClose}
      form={form}
      save={t('gatewayPage.deal')}
    >
      <p>{t(row.trouble === 'account_closed' ? 'gatewayPage.dealClosedText' : 'gatewayPage.dealText')}</p>
      <Textarea
        {...fieldProps(note)}
        value={note.value}
        onChange={(event) => note.onChange(event.currentTarget.value)}
        rows={4}
        data-autofocus
      />
    </SaveDialog>
  )
}
