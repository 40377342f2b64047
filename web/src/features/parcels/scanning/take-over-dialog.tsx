import { Button } from '@mantine/core'
import { text } from '@waybill/contract/ground/fields'
import type { Custody } from '@waybill/contract/parcels/scanning'
import * as z from 'zod/mini'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { TextField } from '../../../components/fields/text-field.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

/** The recorded holder of a parcel: the details of `custody_take_over`. */
type HeldElsewhere = Custody & { trackingNumber: string; message: string }

/** The recorded holder, if the server asks whether to take the parcel over; null for other errors. */
export function findOtherHolder(error: unknown): HeldElsewhere | null {
  if (!(error instanceof ApiError) || error.code !== 'custody_take_over') return null
  return { ...(error.details as Custody & { trackingNumber: string }), message: error.message }
}

type Props = {
  refusal: Pick<HeldElsewhere, 'trackingNumber' | 'message'>
  /** Sends the scan again with `takeOver: { reason }`. Errors are shown in the form. */
  onTakeOver: (reason: string) => Promise<void>
  onClose: () => void
}

const schema = z.object({ reason: text(200) })

/** Asks whether to take the parcel over from its recorded holder, and why. */
export function TakeOverDialog({ refusal, onTakeOver, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const form = useContractForm({
    schema,
    initial: { reason: '' },
    onSubmit: ({ reason }) => onTakeOver(reason),
  })
  return (
    <Dialog title={t('takeOver.title', { number: format.trackingNumber(refusal.trackingNumber) })} onClose={onClose}>
      <Stack {...form.props} as="form" style={{ maxWidth: 640 }}>
        <p>{refusal.message}</p>
        <TextField field={form.field('reason', t('takeOver.reason'))} maxLength={200} autoFocus autoComplete="off" />
        <Note>{t('takeOver.recorded')}</Note>
        <DialogFoot>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button type="submit" variant="filled" loading={form.submitting}>
            {t('takeOver.act')}
          </Button>
        </DialogFoot>
      </Stack>
    </Dialog>
  )
}
