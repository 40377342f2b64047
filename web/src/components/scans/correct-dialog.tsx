import { text } from '@waybill/contract/ground/fields'
import * as z from 'zod/mini'
import { useT } from '../../lib/i18n.ts'
import { SaveDialog } from '../feedback/save-dialog.tsx'
import { TextField } from '../fields/text-field.tsx'
import { useContractForm } from '../form/contract-form.ts'

const schema = z.object({ trackingNumber: text(40) })

type Props = { number: string; onCorrect: (number: string) => void; onClose: () => void }

/** Corrects a scanned text. Opened only by a button, because a dialog would receive the keys of the next scan. */
export function CorrectDialog({ number, onCorrect, onClose }: Props) {
  const t = useT()
  const form = useContractForm({
    schema,
    initial: { trackingNumber: number },
    onSubmit: ({ trackingNumber }) => {
      onClose()
      onCorrect(trackingNumber)
    },
  })
  return (
    <SaveDialog title={t('scanPage.correctTitle')} form={form} onClose={onClose} save={t('scanPage.report')}>
      <TextField field={form.field('trackingNumber')} autoFocus autoComplete="off" />
    </SaveDialog>
  )
}
