import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ScanField } from '../../../../components/fields/scan-field.tsx'
import { Columns, Panel, Stack } from '../../../../components/layout/boxes.tsx'
import { getTone, Notice, Quiet } from '../../../../components/layout/text.tsx'
import { FailedScans } from '../../../../components/scans/failed-scans.tsx'
import type { useUnrecordedScans } from '../../../../components/scans/use-unrecorded-scans.ts'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { SealQuestionPanel } from '../../bags/seal-question-panel.tsx'
import { LoadRows } from '../load-rows.tsx'
import { listToCome, type TripRecord } from '../use-trip-record.ts'
import { FinishUnloading } from './finish-unloading.tsx'
import { useUnloading } from './use-unloading.ts'

type Props = { record: TripRecord; scans: ReturnType<typeof useUnrecordedScans> }

/** A trip at its destination: scans, what has arrived and what is still to come, and the end of the unloading. */
export function UnloadingPart({ record, scans }: Props) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const unloading = useUnloading(record, scans)
  /** The version at which the question about missing loads was opened: another scan closes it. */
  const [askedAt, setAskedAt] = useState<number | null>(null)
  const { trip } = record
  const { question, result } = unloading
  const toCome = listToCome(trip)
  const extra = trip.loads.filter(({ state }) => state === 'extra')
  const arrived = trip.loads.filter((load) => load.state === 'arrived' && !toCome.includes(load))
  const isAsking = askedAt === trip.version && question === null

  function choose(position: number): boolean {
    if (!question || position < 1 || position > (question.seal === null ? 1 : 2)) return false
    if (question.seal !== null && position === 1) unloading.answer('intact')
    else if (question.kind === 'bag') unloading.answer('opened')
    else void navigate({ to: '/staff/gunny', search: { no: question.number } })
    return true
  }

  return (
    <Columns>
      <div>
        <ScanField
          label={t('tripPage.unload')}
          action={t('tripPage.unloadAction')}
          main={toCome.length > 0 && question === null && !isAsking}
          onScan={(numbers) => {
            setAskedAt(null)
            unloading.scan(numbers)
          }}
          onChoice={choose}
        />
        <Notice as="div" size="lg" tone={getTone(result?.succeeded)} role="status">
          <b>
            {t('tripPage.progress', {
              arrived: format.number(arrived.length),
              loads: format.number(trip.loadCount),
            })}
          </b>
          {result ? (
            <span>
              <strong>{format.trackingNumber(result.number)}</strong> {result.text}
            </span>
          ) : (
            <Quiet>{t('tripPage.unloadReady')}</Quiet>
          )}
        </Notice>
        {question && <SealQuestionPanel question={question} onAnswer={unloading.answer} onCancel={unloading.leave} />}
        <FailedScans scans={unloading.failures} />
        {trip.loads.length > 0 && (
          <Panel>
            <Stack gap={24}>
              <LoadRows title={t('tripPage.toCome')} loads={toCome} />
              <LoadRows title={t('tripPage.extra')} loads={extra} />
              <LoadRows title={t('tripPage.arrivedTitle')} loads={arrived} />
            </Stack>
          </Panel>
        )}
      </div>
      <FinishUnloading
        record={record}
        scans={scans}
        toCome={toCome}
        isAsking={isAsking}
        onAsk={(asks) => setAskedAt(asks ? trip.version : null)}
        isBusy={question !== null}
      />
    </Columns>
  )
}
