import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { findNumberProblem } from '@waybill/contract/ground/numbers/parcel-number'
import { useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import { Tag } from '../layout/text.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import classes from './scan-lines.module.css'

/** A scan that is not recorded, with the reason. */
export type FailedScan = {
  id: string
  number: string
  text: string
  /** What was reported. */
  event?: string
  /** When it was scanned. */
  at?: string
  /** The button that answers the refusal. */
  open?: { label: string; onClick: () => void } | undefined
  onAgain?: (() => void) | undefined
  /** Takes the corrected number, in the place of a text that cannot be the number of a parcel. */
  onCorrect?: ((number: string) => void) | undefined
  onDismiss: () => void
}

type Props = {
  scans: readonly FailedScan[]
  onAllAgain?: () => void
}

/**
 * The scans of a page that are not recorded, until they are resolved or dismissed. They never take the focus: a dialog
 * would receive the next scan's keys.
 */
export function FailedScans({ scans, onAllAgain }: Props) {
  const t = useT()
  const format = useFormat()
  if (scans.length === 0) return null
  return (
    <section className={classes.failed} aria-label={t('scanPage.failed')}>
      <div className={classes.head}>
        <h2>
          {t('scanPage.failed')} <Tag>{format.number(scans.length)}</Tag>
        </h2>
        {onAllAgain && <Button onClick={onAllAgain}>{t('scanPage.allAgain')}</Button>}
      </div>
      <ul className={classes.lines}>
        {scans.map((scan) => (
          <FailedLine key={scan.id} scan={scan} />
        ))}
      </ul>
    </section>
  )
}

function FailedLine({ scan }: { scan: FailedScan }) {
  const { number, text, event, at, open, onAgain, onCorrect, onDismiss } = scan
  const t = useT()
  const format = useFormat()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  const [correcting, setCorrecting] = useState(false)
  // Trying again would fail again.
  const isWrong = onCorrect !== undefined && findNumberProblem(number, prefix) !== null
  return (
    <li data-state="failed">
      <IconAlertTriangle className={classes.icon} size={20} aria-hidden />
      <span className={classes.number}>{format.trackingNumber(number)}</span>
      {event === undefined ? (
        <span className={classes.wide}>{text}</span>
      ) : (
        <>
          <span>{event}</span>
          <span className={classes.text}>{text}</span>
        </>
      )}
      {at !== undefined && (
        <time className={classes.time} dateTime={at}>
          {format.time(at)}
        </time>
      )}
      <span className={classes.buttons}>
        {isWrong && (
          <Button size="compact-sm" onClick={() => setCorrecting(true)}>
            {t('scanPage.correct')}
          </Button>
        )}
        {open && !isWrong && (
          <Button size="compact-sm" onClick={open.onClick}>
            {open.label}
          </Button>
        )}
        {onAgain && !isWrong && (
          <Button size="compact-sm" onClick={onAgain}>
            {t('actions.tryAgain')}
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={onDismiss}>
          {t('scanPage.dismiss')}
        </Button>
      </span>
      {onCorrect && correcting && (
        <CorrectDialog number={number} onCorrect={onCorrect} onClose={() => setCorrecting(false)} />
      )}
    </li>
  )
}
