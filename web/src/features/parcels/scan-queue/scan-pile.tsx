import { Button } from '@mantine/core'
import { recentScans } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { Note, Notice, Tag } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useRefresh } from '../../../lib/query.ts'
import type { useScanDesk } from '../scanning/use-scan-desk.ts'
import { findFailureAnswer } from './failure-answers.tsx'
import classes from './pile.module.css'
import { FailedLine, OpenLine, ScanLine } from './scan-line.tsx'
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
              <ScanLine key={entry.id} entry={entry} onUndone={onUndone} />
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
  const format = useFormat()
  const [answering, setAnswering] = useState<string | null>(null)
  const failures = entries.filter(({ state }) => state === 'failed')
  const entry = failures.find(({ id }) => id === answering)
  const Answer = entry && findFailureAnswer(entry)
  /** A missing station may have been selected by now. */
  const again = (each: ScanEntry) =>
    retryScan(each, !each.body.stationId && desk.stationId ? { stationId: desk.stationId } : {})
  if (failures.length + desk.open.length === 0) return null
  return (
    <section className={classes.failed} aria-label={t('scanPage.failed')}>
      <div className={classes.head}>
        <h2>
          {t('scanPage.failed')} <Tag>{format.number(failures.length + desk.open.length)}</Tag>
        </h2>
        {failures.length > 1 && <Button onClick={() => failures.forEach(again)}>{t('scanPage.allAgain')}</Button>}
      </div>
      <ul className={classes.lines}>
        {failures.map((each) => (
          <FailedLine
            key={each.id}
            entry={each}
            onOpen={findFailureAnswer(each) ? () => setAnswering(each.id) : null}
            onAgain={() => again(each)}
            onDismiss={() => removeScans([each])}
          />
        ))}
        {desk.open.map((each) => (
          <OpenLine
            key={each.number}
            open={each}
            onDecide={() => desk.take([each.number])}
            onDismiss={() => desk.drop(each.number)}
          />
        ))}
      </ul>
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
    </section>
  )
}
