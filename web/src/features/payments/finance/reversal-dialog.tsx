import { returnWithdrawal } from '@waybill/contract/wallet/withdrawals'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import type { EndpointId } from '../../../lib/refresh-answers.ts'

type Props = {
  title: string
  text: string
  /** The label of the button, a verb. */
  save: string
  success: string
  /** The endpoints whose responses change. */
  refresh: readonly EndpointId[]
  send: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the reason before a booking is reversed. The customer gets it by email. */
export function ReversalDialog({ title, text, save, success, refresh, send, onClose }: Props) {
  const t = useT()
  const form = useContractForm({
    schema: returnWithdrawal.body,
    initial: { reason: '' },
    onSubmit: ({ reason }) => send(reason),
    refresh,
    refreshOnError: refresh,
    success,
    onSuccess: onClose,
  })
  return (
    // “Cancel” beside “Cancel payment” would be ambiguous.
    <SaveDialog title={title} onClose={onClose} form={form} save={save} cancel={t('actions.close')}>
      <p>{text}</p>
      <TextField field={form.field('reason')} help={t('withdrawal.reasonHelp')} data-autofocus />
    </SaveDialog>
  )
}
