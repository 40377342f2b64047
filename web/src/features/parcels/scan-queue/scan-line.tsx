import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import classes from '../../../components/scans/scan-lines.module.css'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { UndoButton } from '../scanning/undo-button.tsx'
import { removeScans, type ScanEntry } from './scan-queue.ts'
import { useScanText } from './use-scan-text.ts'

type LineProps = {
  entry: ScanEntry
  /** Whether no later line is about the same parcel. */
  isNewest: boolean
  onUndone: (number: string) => void
}

/** A waiting scan, or a recorded one that can be undone for a while. */
export function ScanLine({ entry, isNewest, onUndone }: LineProps) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const scanText = useScanText()
  const { answer, state, body } = entry
  const isMisrouted = Boolean(answer?.rightStation)
  const Icon = isMisrouted ? IconAlertTriangle : state === 'done' ? IconCircleCheck : IconClock
  return (
    <li data-state={isMisrouted ? 'failed' : state}>
      <Icon className={classes.icon} size={20} aria-hidden />
      <span className={classes.number}>{format.trackingNumber(body.trackingNumber)}</span>
      <span>{t(`scanPage.event.${body.event}`)}</span>
      <span className={classes.text}>
        {answer && !answer.repeated && !answer.rightStation ? (
          <StatusPill look={parcelStatusLooks[answer.toStatus]} label={label(parcelStatusLabels, answer.toStatus)} />
        ) : (
          scanText(entry)
        )}
      </span>
      <time className={classes.time} dateTime={entry.addedAt}>
        {format.time(entry.addedAt)}
      </time>
      <span className={classes.buttons}>
        {answer && !answer.repeated && isNewest && (
          <UndoButton
            scan={answer}
            onUndone={(number) => {
              removeScans([entry])
              onUndone(number)
            }}
          />
        )}
      </span>
    </li>
  )
}
