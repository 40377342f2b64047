import { Button } from '@mantine/core'
import { recentScans } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { Note, Notice, Tag } from '../../../components/layout/text.tsx'
import { type FailedScan, FailedScans } from '../../../components/scans/failed-scans.tsx'
import classes from '../../../components/scans/scan-lines.module.css'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useRefresh } from '../../../lib/query.ts'
import { findNewestScans } from '../scanning/newest-scans.ts'
import type { useScanDesk } from '../scanning/use-scan-desk.ts'
import { findFailureAnswer } from './failure-answers.tsx'
import { ScanLine } from './scan-line.tsx'
import { removeScans, retryScan, type ScanEntry, sendScansNow, useScanQueue } from './scan-queue.ts'

/** The maximum number of lines on the page; the others are counted. */
const maxLines = 100

type Props = { desk: ReturnType<typeof useScanDesk>; onUndone: (number: string) => void }

/** The scanned pile: the numbers of recorded, waiting and failed scans, and the failures in full. */
export function ScanPile({ desk, onUndone }: Props) {
  const t = useT()
  const format = useFormat()
  const refresh = useRefresh()
  const { entries, stalled, isStored } = useScanQueue()
  const successes = entries.filter(({ state }) => state === 'done')
  const waiting = entries.filter(({ state }) => state === 'waiting')
  const failureCount = entries.length - successes.length - waiting.length
  const lines = entries.filter(({ state }) => state !== 'failed').reverse()
  // A repeated scan changed nothing: the first one can still be undone.
  const recorded = lines.filter(({ answer }) => !answer?.repeated)
  const newest = findNewestScans(recorded.map(({ id, body }) => ({ id, trackingNumber: body.trackingNumber })))

  async function startPile() {
    removeScans(successes)
    await refresh(recentScans)
  }

  return (
    <>
      <ToDecide desk={desk} entries={entries} />
      <section className={classes.pile} aria-label={t('scanPage.pile')}>
        <div className={classes.head}>
          <h2>
            {t('scanPage.pile')} <Tag>{format.number(entries.length)}</Tag>
          </h2>
          <p hidden={entries.length === 0}>
            {t('scanPage.pileDone', { count: format.number(successes.length) })}
            {' · '}
            {t('scanPage.pileWaiting', { count: format.number(waiting.length) })}
            {failureCount > 0 && ` · ${t('scanPage.pileFailed', { count: format.number(failureCount) })}`}
          </p>
          {successes.length > 0 && <Button onClick={() => void startPile()}>{t('scanPage.newPile')}</Button>}
        </div>
        {stalled && waiting.length > 0 && (
          <Notice as="div" tone="waiting" role="note">
            <span>{t('scanPage.stalled')}</span>
            <Button onClick={sendScansNow}>{t('scanPage.sendNow')}</Button>
          </Notice>
        )}
        {!isStored && (
          <Notice tone="waiting" role="note">
            {t('scanPage.notKept')}
          </Notice>
        )}
        {lines.length > 0 && (
          <ul className={classes.lines}>
            {lines.slice(0, maxLines).map((entry) => (
              <ScanLine key={entry.id} entry={entry} isNewest={newest.has(entry.id)} onUndone={onUndone} />
            ))}
          </ul>
        )}
        {lines.length > maxLines && (
          <Note>{t('scanPage.more', { count: format.number(lines.length - maxLines) })}</Note>
        )}
      </section>
    </>
  )
}

/** Scans that are not recorded: refused by the server, or waiting for a decision. */
function ToDecide({ desk, entries }: { desk: Props['desk']; entries: readonly ScanEntry[] }) {
  const t = useT()
  const [answering, setAnswering] = useState<string | null>(null)
  const failures = entries.filter(({ state }) => state === 'failed')
  const entry = failures.find(({ id }) => id === answering)
  const Answer = entry && findFailureAnswer(entry)
  /** A missing station may have been selected by now. */
  const again = (each: ScanEntry) =>
    retryScan(each, !each.body.stationId && desk.stationId ? { stationId: desk.stationId } : {})
  const scans: FailedScan[] = [
    ...failures.map((each) => ({
      id: each.id,
      number: each.body.trackingNumber,
      text: each.problem?.message ?? '',
      event: t(`scanPage.event.${each.body.event}`),
      at: each.addedAt,
      open: findFailureAnswer(each) ? { label: t('scanPage.open'), onClick: () => setAnswering(each.id) } : undefined,
      onAgain: () => again(each),
      onCorrect: (trackingNumber: string) => retryScan(each, { trackingNumber }),
      onDismiss: () => removeScans([each]),
    })),
    ...desk.open.map(({ number, text }) => ({
      id: number,
      number,
      text,
      open: { label: t('scanPage.decide'), onClick: () => desk.take([number]) },
      onCorrect: (corrected: string) => {
        desk.drop(number)
        desk.take([corrected])
      },
      onDismiss: () => desk.drop(number),
    })),
  ]
  return (
    <>
      <FailedScans scans={scans} {...(failures.length > 1 && { onAllAgain: () => failures.forEach(again) })} />
      {entry && Answer && (
        <Answer
          entry={entry}
          onResend={(change) => {
            retryScan(entry, change)
            setAnswering(null)
          }}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}
