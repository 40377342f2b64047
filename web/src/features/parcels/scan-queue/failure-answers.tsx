import type { ComponentType } from 'react'
import { Dialog } from '../../../components/feedback/dialog.tsx'
import { useFormat } from '../../../lib/format.ts'
import { ScanDetailsForm } from '../scanning/scan-details.tsx'
import { TakeOverDialog } from '../scanning/take-over-dialog.tsx'
import type { ScanBody, ScanEntry } from './scan-queue.ts'

export type AnswerProps = {
  entry: ScanEntry
  /** Sends the same scan once more, with what the server wants to know. */
  onResend: (change: Partial<ScanBody>) => void
  onClose: () => void
}

/** What an event says beside the number, said again. */
function DetailsAgain({ entry: { body }, onResend, onClose }: AnswerProps) {
  const format = useFormat()
  return (
    <Dialog title={format.trackingNumber(body.trackingNumber)} shape="wide" onClose={onClose}>
      <ScanDetailsForm
        event={body.event}
        number={body.trackingNumber}
        before={body}
        onCancel={onClose}
        onDone={onResend}
      />
    </Dialog>
  )
}

/** Somebody else is recorded as the holder: the parcel is taken over, with a reason. */
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

/** Dialogs that can answer a refusal, by its error code: the one place where another kind of answer is added. */
const answers: Readonly<Record<string, ComponentType<AnswerProps>>> = {
  proof_required: DetailsAgain,
  cod_required: DetailsAgain,
  validation: DetailsAgain,
  custody_take_over: TakeOver,
}
const withDetails = ['departed', 'delivered', 'handed_over', 'attempt_failed', 'return_received']

/** The dialog for a refused scan; null: it can only be tried again or dismissed. */
export function findFailureAnswer({ body, problem }: ScanEntry): ComponentType<AnswerProps> | null {
  const Answer = answers[problem?.code ?? ''] ?? null
  return Answer === DetailsAgain && !withDetails.includes(body.event) ? null : Answer
}
