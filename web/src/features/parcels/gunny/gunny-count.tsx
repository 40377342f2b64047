import { Button } from '@mantine/core'
import {
  checkGunny,
  emptyGunny,
  type GunnyCheck,
  type GunnyCheckEvent,
  gunnyStatusLabels,
  type StaffGunny,
  staffGunnies,
  staffGunnyByNumber,
} from '@waybill/contract/parcels/gunny'
import { staffGunnyLabel, staffGunnyManifest } from '@waybill/contract/parcels/staff-prints'
import { useState } from 'react'
import { PrintButton } from '../../../components/buttons/print-button.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Buttons, Grid, Panel, Row } from '../../../components/layout/boxes.tsx'
import { getTone, Mono, Notice, Quiet } from '../../../components/layout/text.tsx'
import { FailedScans } from '../../../components/scans/failed-scans.tsx'
import { NumberList } from '../../../components/scans/number-list.tsx'
import type { useUnrecordedScans } from '../../../components/scans/use-unrecorded-scans.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCallOnce } from '../../../lib/once.ts'
import classes from '../scanning/scan.module.css'
import { NextGunnyStation } from '../scanning/station-choice.tsx'
import { CountEnd } from './count-end.tsx'
import { gunnyLooks } from './gunny-look.ts'
import { type Feedback, useCountedScans } from './use-counted-scans.ts'

/** One count of a gunny: each scan is compared with the expected parcels at once. No parcel moves before the end. */
export function GunnyCount({
  gunny: initialGunny,
  stationId,
  uncounted,
  onNext,
  onClose,
}: {
  gunny: StaffGunny
  stationId: string | null
  /** The numbers that were scanned but are not counted. */
  uncounted: ReturnType<typeof useUnrecordedScans>
  /** Called with the number of the next gunny, scanned after the end of this count. */
  onNext: (number: string) => void
  onClose: () => void
}) {
  const t = useT()
  const format = useFormat()
  const [gunny, setGunny] = useState(initialGunny)
  const [next, setNext] = useState<string | null>(null)
  const [isNextMissing, setNextMissing] = useState(false)
  /** How many scans there were when the question about missing parcels was opened: another scan closes it. */
  const [askedAt, setAskedAt] = useState<number | null>(null)
  const [result, setResult] = useState<GunnyCheck | null>(null)
  const callOnce = useCallOnce()

  const event = gunny.nextCheck
  const count = useCountedScans(gunny, uncounted)
  const { scans, setScans, there, extra, toCome, feedback, setFeedback, showFeedback, scan, listLate, mayBeGunny } =
    count
  const isAsking = askedAt === scans.length

  const finish = useSend(
    ({ sealed, numbers }: { sealed: boolean; numbers: readonly string[] }) => {
      const body = {
        event: event as NonNullable<typeof event>,
        numbers: [...numbers],
        sealed,
        sealNumber: sealed ? gunny.sealNumber : null,
        ...(stationId ? { stationId } : {}),
        ...(next ? { nextStationId: next } : {}),
      }
      return callOnce(checkGunny, { params: { id: gunny.id }, body })
    },
    {
      refresh: [staffGunnies],
      onSuccess: (after) => {
        setScans([])
        setGunny(after)
        setResult(after.checks[0] ?? null)
        setFeedback(null)
      },
      onError,
    },
  )
  const unpack = useSend(() => call(emptyGunny, { params: { id: gunny.id }, body: { version: gunny.version } }), {
    refresh: [staffGunnies],
    onSuccess: (after) => {
      setGunny(after)
      setResult(null)
      showFeedback(true, t('gunnyStation.unpacked', { number: format.trackingNumber(gunny.number) }))
    },
    onError,
  })

  /** Not in a dialog, which would take the keys of the next scan. */
  function onError(error: unknown): boolean {
    showFeedback(false, errorMessage(error))
    // Someone else counted or unpacked it: the next press needs its present state.
    if (error instanceof ApiError && error.statusCode === 409)
      void call(staffGunnyByNumber, { params: { no: gunny.number } }).then(setGunny, () => undefined)
    return true
  }
  function complete(sealed: boolean) {
    if (event === 'departed' && next === null) {
      beep(false)
      setNextMissing(true)
      return
    }
    const numbers = sealed ? gunny.expected : scans
    void count.end(numbers, () => finish.send({ sealed, numbers: sealed ? [] : scans }))
  }
  /** After the end of a count, a parcel is no longer counted, and any other number is that of the next gunny. */
  function scanNext(numbers: readonly string[]) {
    for (const each of numbers.filter((one) => !mayBeGunny(one))) listLate(each)
    const number = numbers.findLast(mayBeGunny)
    if (number !== undefined) onNext(number)
  }

  return (
    <Panel style={{ marginBlockEnd: 24 }} aria-label={format.trackingNumber(gunny.number)}>
      <Head gunny={gunny} onClose={onClose} />
      {result || !event ? (
        <>
          <CountEnd gunny={gunny} check={result} text={feedback?.text} onScan={scanNext} />
          <FailedScans scans={uncounted.failures} />
        </>
      ) : (
        <>
          <h3>{t(`gunnyStation.next.${event}`)}</h3>
          {event === 'departed' && (
            <div style={{ maxWidth: 420 }}>
              <NextGunnyStation
                value={next}
                onChange={setNext}
                except={stationId}
                error={isNextMissing && next === null ? t('gunnyStation.noNextStation') : undefined}
              />
            </div>
          )}
          <ScanField
            label={t('gunnyStation.parcel')}
            action={t('gunnyStation.add')}
            main={toCome.length > 0 && !isAsking}
            onScan={scan}
          />
          <Progress scanned={there.length} expected={gunny.expected.length} feedback={feedback} />
          <FailedScans scans={count.failures} />
          <Grid min={240} gap={24} style={{ marginBlockEnd: 24 }}>
            <NumberList title={t('gunnyStation.toCome')} numbers={toCome} />
            <NumberList
              title={t('gunnyStation.extra')}
              numbers={extra}
              onUndo={(each) => setScans((present) => present.filter((one) => one !== each))}
            />
          </Grid>
          <Prints id={gunny.id} />
          <CountActions
            gunny={gunny}
            event={event}
            isEmpty={scans.length === 0}
            missingCount={toCome.length}
            isAsking={isAsking}
            onAsk={(asks) => setAskedAt(asks ? scans.length : null)}
            finishing={finish.pending}
            unpacking={unpack.pending}
            onUnpack={() => void unpack.send()}
            onFinish={complete}
          />
        </>
      )}
    </Panel>
  )
}

/** How many parcels are there, and the result of the latest scan. */
function Progress({ scanned, expected, feedback }: { scanned: number; expected: number; feedback: Feedback | null }) {
  const t = useT()
  const format = useFormat()
  return (
    <Notice as="div" size="lg" tone={getTone(feedback?.well)} role="status">
      <b>{t('gunnyStation.count', { scanned: format.number(scanned), expected: format.number(expected) })}</b>
      {feedback && <span>{feedback.text}</span>}
    </Notice>
  )
}

/** The ways to end a count. Nothing opens a dialog, which would take the keys of the next scan. */
function CountActions({
  gunny,
  event,
  isEmpty,
  missingCount,
  isAsking,
  onAsk,
  finishing,
  unpacking,
  onUnpack,
  onFinish,
}: {
  gunny: StaffGunny
  event: GunnyCheckEvent
  isEmpty: boolean
  missingCount: number
  /** Whether the question about missing parcels is open. */
  isAsking: boolean
  onAsk: (asks: boolean) => void
  finishing: boolean
  unpacking: boolean
  onUnpack: () => void
  onFinish: (sealed: boolean) => void
}) {
  const t = useT()
  if (isAsking) {
    return (
      <Notice as="div" size="lg" tone="waiting" role="alert">
        <span>{t('gunnyStation.finishText', { count: missingCount })}</span>
        <Buttons>
          <Button size="lg" onClick={() => onAsk(false)}>
            {t('actions.cancel')}
          </Button>
          <Button size="lg" variant="filled" loading={finishing} onClick={() => onFinish(false)}>
            {t('gunnyStation.finish')}
          </Button>
        </Buttons>
      </Notice>
    )
  }
  return (
    <Buttons className={classes.actions}>
      {event === 'departed' && (
        <Button size="lg" loading={unpacking} onClick={onUnpack}>
          {t('gunnyStation.unpack')}
        </Button>
      )}
      {gunny.sealNumber && isEmpty && (
        <Button size="lg" disabled={finishing} onClick={() => onFinish(true)}>
          {t(`gunnyStation.sealed.${event}`, { seal: gunny.sealNumber, count: gunny.expected.length })}
        </Button>
      )}
      <Button
        variant={missingCount === 0 ? 'filled' : 'default'}
        size="lg"
        loading={finishing}
        onClick={() => (missingCount === 0 ? onFinish(false) : onAsk(true))}
      >
        {t('gunnyStation.finish')}
      </Button>
    </Buttons>
  )
}

function Head({ gunny, onClose }: { gunny: StaffGunny; onClose: () => void }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return (
    <Row justify="between" style={{ marginBlockEnd: 16 }}>
      <Row>
        <Mono as="h2">{format.trackingNumber(gunny.number)}</Mono>
        <StatusPill look={gunnyLooks[gunny.status]} label={label(gunnyStatusLabels, gunny.status)} />
        <Quiet>{t('gunnyStation.of', { account: gunny.accountName })}</Quiet>
      </Row>
      <Button onClick={onClose}>{t('gunnyStation.another')}</Button>
    </Row>
  )
}

function Prints({ id }: { id: string }) {
  const t = useT()
  const options = { params: { id } }
  return (
    <Buttons>
      <PrintButton label={t('staffPrints.gunnyLabel')} endpoint={staffGunnyLabel} options={options} />
      <PrintButton label={t('staffPrints.manifest')} endpoint={staffGunnyManifest} options={options} />
    </Buttons>
  )
}
