import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { parcelStatusLabels } from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status-look'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { UndoButton } from '../scanning/undo-button.tsx'
import type { OpenNumber } from './open-numbers.ts'
import classes from './pile.module.css'
import { removeScans, type ScanEntry } from './scan-queue.ts'
import { useScanText } from './use-scan-text.ts'

type LineProps = { entry: ScanEntry; onUndone: (number: string) => void }

/** A waiting scan, or a recorded one that can be undone for a while. */
export function ScanLine({ entry, onUndone }: LineProps) {
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
        {answer && !answer.repeated && (
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

type FailedProps = {
  entry: ScanEntry
  /** Null: no further report is possible. */
  onOpen: (() => void) | null
  onAgain: () => void
  onDismiss: () => void
}

/** A scan that the server refused, with the reason. */
export function FailedLine({ entry, onOpen, onAgain, onDismiss }: FailedProps) {
  const t = useT()
  const format = useFormat()
  const { body, problem, addedAt } = entry
  return (
    <li data-state="failed">
      <IconAlertTriangle className={classes.icon} size={20} aria-hidden />
      <span className={classes.number}>{format.trackingNumber(body.trackingNumber)}</span>
      <span>{t(`scanPage.event.${body.event}`)}</span>
      <span className={classes.text}>{problem?.message}</span>
      <time className={classes.time} dateTime={addedAt}>
        {format.time(addedAt)}
      </time>
      <span className={classes.buttons}>
        {onOpen && (
          <Button size="compact-sm" onClick={onOpen}>
            {t('scanPage.open')}
          </Button>
        )}
        <Button size="compact-sm" onClick={onAgain}>
          {t('actions.tryAgain')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={onDismiss}>
          {t('scanPage.dismiss')}
        </Button>
      </span>
    </li>
  )
}

type OpenProps = { open: OpenNumber; onDecide: () => void; onDismiss: () => void }

/** A number that was scanned but not reported: it needs a decision. */
export function OpenLine({ open, onDecide, onDismiss }: OpenProps) {
  const t = useT()
  const format = useFormat()
  return (
    <li data-state="failed">
      <IconAlertTriangle className={classes.icon} size={20} aria-hidden />
      <span className={classes.number}>{format.trackingNumber(open.number)}</span>
      <span className={classes.wide}>{open.text}</span>
      <span className={classes.buttons}>
        <Button size="compact-sm" onClick={onDecide}>
          {t('scanPage.decide')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={onDismiss}>
          {t('scanPage.dismiss')}
        </Button>
      </span>
    </li>
  )
}
