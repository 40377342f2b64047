import { Button } from '@mantine/core'
import type { ComponentType } from 'react'
import { Dialog, DialogFoot } from '../../../components/feedback/dialog.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { ScanDetailsDialog } from '../scanning/scan-details.tsx'
import { TakeOverDialog } from '../scanning/take-over-dialog.tsx'
import type { ScanBody, ScanEntry } from './scan-queue.ts'

export type AnswerProps = {
  entry: ScanEntry
  /** Sends the same scan again, with the additional data that the server needs. */
  onResend: (change: Partial<ScanBody>) => void
  onClose: () => void
}

/** The details of a scan next to its number, entered again. */
function DetailsAgain({ entry: { body }, onResend, onClose }: AnswerProps) {
  return (
    <ScanDetailsDialog
      event={body.event}
      number={body.trackingNumber}
      before={body}
      onCancel={onClose}
      onDone={onResend}
    />
  )
}

/** Another holder is recorded: the parcel is taken over, with a reason. */
function TakeOver({ entry: { body, problem }, onResend, onClose }: AnswerProps) {
  const refusal = { trackingNumber: body.trackingNumber, message: problem?.message ?? '' }
  return (
    <TakeOverDialog
      refusal={refusal}
      onClose={onClose}
      onTakeOver={async (reason) => onResend({ takeOver: { reason } })}
    />
  )
}

/** Another day was chosen for the next attempt: the clerk sends the parcel out anyway. */
function SendOutEarly({ entry: { body, problem }, onResend, onClose }: AnswerProps) {
  const t = useT()
  const format = useFormat()
  const number = format.trackingNumber(body.trackingNumber)
  return (
    <Dialog title={t('earlyAttempt.title', { number })} onClose={onClose}>
      <p>{problem?.message}</p>
      <DialogFoot>
        <Button onClick={onClose}>{t('actions.cancel')}</Button>
        <Button variant="filled" onClick={() => onResend({ beforeChosenDay: true })}>
          {t('earlyAttempt.act')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

/** The dialogs that resolve a refusal, by error code. A new kind of dialog is added here only. */
const answers: Readonly<Record<string, ComponentType<AnswerProps>>> = {
  proof_required: DetailsAgain,
  cod_required: DetailsAgain,
  validation: DetailsAgain,
  custody_take_over: TakeOver,
  attempt_early: SendOutEarly,
}
const withDetails = ['departed', 'delivered', 'handed_over', 'attempt_failed', 'return_received']

/** The dialog for a refused scan; null: it can only be retried or dismissed. */
export function findFailureAnswer({ body, problem }: ScanEntry): ComponentType<AnswerProps> | null {
  const Answer = answers[problem?.code ?? ''] ?? null
  return Answer === DetailsAgain && !withDetails.includes(body.event) ? null : Answer
}
