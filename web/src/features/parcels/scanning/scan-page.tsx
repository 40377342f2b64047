import { Button } from '@mantine/core'
import { useState } from 'react'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Notice, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { scannedNumbers } from '../../../lib/input/scanned-numbers.ts'
import { useSession } from '../../../lib/session.ts'
import { ScanPile } from '../scan-queue/scan-pile.tsx'
import { useScanQueue } from '../scan-queue/scan-queue.ts'
import { CameraScanner } from './camera-scanner.tsx'
import { RecentScans } from './recent-scans.tsx'
import { ScanDetailsPanel } from './scan-details.tsx'
import { ScanQuestion } from './scan-question.tsx'
import { ScanSetting } from './scan-setting.tsx'
import { type Feedback, useScanDesk } from './use-scan-desk.ts'

/**
 * The scan page. The user sets the event and then scans number after number. The field never waits: a queue sends the
 * scans in order. Each scan has a line with its result, and failures stay until they are resolved.
 */
export function ScanPage() {
  const t = useT()
  const desk = useScanDesk()
  const { entries } = useScanQueue()
  const [camera, setCamera] = useState(false)
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  const { question, details } = desk

  function choose(position: number): boolean {
    const event = question?.events[position - 1]
    if (!question || !event) return false
    desk.begin(question.number, event)
    return true
  }
  const onUndone = (number: string) => desk.showFeedback('done', number, t('scanPage.undone'))

  return (
    <>
      <PageHeader title={t('scanPage.title')} />
      <ScanSetting desk={desk} />
      {desk.stationId === null && (
        <Notice tone="waiting" style={{ marginBlockEnd: 16 }} role="note">
          {t('scanPage.noStation')}
        </Notice>
      )}
      {desk.mode === 'departed' && desk.nextStationId === null && (
        <Notice tone="waiting" style={{ marginBlockEnd: 16 }} role="note">
          {t('scanPage.noNextStation')}
        </Notice>
      )}
      <ScanField
        label={t('scanPage.number')}
        action={t('scanPage.report')}
        onScan={desk.take}
        onChoice={choose}
        active={details === null}
        main={details === null}
      />
      <Button mt={12} aria-pressed={camera} onClick={() => setCamera(!camera)}>
        {camera ? t('scanPage.cameraOff') : t('scanPage.camera')}
      </Button>
      {camera && (
        <CameraScanner
          paused={question !== null || details !== null}
          onCode={(code) => desk.take(scannedNumbers(code, prefix))}
        />
      )}
      <LastScan feedback={desk.feedback} />
      {question && (
        <ScanQuestion
          question={question}
          onAnswer={(event) => desk.begin(question.number, event)}
          onCancel={desk.cancel}
        />
      )}
      {details && (
        <ScanDetailsPanel
          key={`${details.number}${details.event}`}
          event={details.event}
          number={details.number}
          onCancel={desk.cancel}
          onDone={(submission) => desk.send(details.number, details.event, submission)}
        />
      )}
      <ScanPile desk={desk} onUndone={onUndone} />
      <RecentScans except={entries.flatMap(({ answer }) => answer ?? [])} onUndone={onUndone} />
    </>
  )
}

const tones = { waiting: 'waiting', done: 'success', failed: 'danger' } as const

/** The latest result in colour and words, along with the sound. */
function LastScan({ feedback }: { feedback: Feedback | null }) {
  const t = useT()
  const format = useFormat()
  return (
    <Notice as="div" size="lg" tone={feedback ? tones[feedback.tone] : 'plain'} role="status">
      {feedback ? (
        <>
          <strong>{format.trackingNumber(feedback.number)}</strong>
          <span>{feedback.text}</span>
        </>
      ) : (
        <Quiet>{t('scanPage.ready')}</Quiet>
      )}
    </Notice>
  )
}
