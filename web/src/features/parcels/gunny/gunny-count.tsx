import { Button } from '@mantine/core'
import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import {
  checkGunny,
  emptyGunny,
  type GunnyCheck,
  gunnyStatusLabels,
  type StaffGunny,
  staffGunnies,
} from '@waybill/contract/parcels/gunny'
import { staffGunnyLabel, staffGunnyManifest } from '@waybill/contract/parcels/staff-prints'
import { useState } from 'react'
import { PrintButton } from '../../../components/buttons/print-button.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Buttons, Grid, LineList, Panel, Row } from '../../../components/layout/boxes.tsx'
import { getTone, Mono, Notice, Quiet } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useSession } from '../../../lib/session.ts'
import classes from '../scanning/scan.module.css'
import { NextGunnyStation } from '../scanning/station-choice.tsx'
import { gunnyLooks } from './gunny-look.ts'

type Feedback = { well: boolean; text: string }

/** One count of a gunny: each scan is compared with the expected parcels at once. No parcel moves before the end. */
export function GunnyCount({
  gunny: initialGunny,
  stationId,
  onClose,
}: {
  gunny: StaffGunny
  stationId: string | null
  onClose: () => void
}) {
  const t = useT()
  const label = useLabel()
  const format = useFormat()
  const [gunny, setGunny] = useState(initialGunny)
  const [next, setNext] = useState<string | null>(null)
  const [isNextMissing, setNextMissing] = useState(false)
  const [result, setResult] = useState<GunnyCheck | null>(null)
  const callOnce = useCallOnce()

  const event = gunny.nextCheck
  const { scans, setScans, there, extra, toCome, feedback, setFeedback, tell, scan } = useCountedScans(gunny)

  const finish = useSend(
    (sealed: boolean) => {
      const body = {
        event: event as NonNullable<typeof event>,
        numbers: sealed ? [] : [...scans],
        sealed,
        sealNumber: sealed ? gunny.sealNumber : null,
        ...(stationId ? { stationId } : {}),
        ...(next ? { nextStationId: next } : {}),
      }
      return callOnce(checkGunny, { params: { id: gunny.id }, body })
    },
    {
      confirm: (sealed) =>
        sealed || toCome.length === 0
          ? null
          : {
              title: t('gunnyStation.finish'),
              message: t('gunnyStation.finishText', { count: toCome.length }),
              action: t('gunnyStation.finish'),
            },
      refresh: [staffGunnies],
      onSuccess: (after) => {
        setGunny(after)
        setResult(after.checks[0] ?? null)
        setScans([])
        setFeedback(null)
      },
    },
  )
  const unpack = useSend(() => call(emptyGunny, { params: { id: gunny.id }, body: { version: gunny.version } }), {
    refresh: [staffGunnies],
    onSuccess: (after) => {
      setGunny(after)
      setResult(null)
      tell(true, t('gunnyStation.unpacked', { number: format.trackingNumber(gunny.number) }))
    },
  })

  function complete(sealed: boolean) {
    if (event !== 'departed' || next !== null) return void finish.send(sealed)
    beep(false)
    setNextMissing(true)
  }

  return (
    <Panel style={{ marginBlockEnd: 24 }} aria-label={format.trackingNumber(gunny.number)}>
      <Head gunny={gunny} onClose={onClose} />
      {result ? (
        <Result check={result} gunny={gunny} />
      ) : event ? (
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
            main={toCome.length > 0}
            onScan={scan}
          />
          <Notice as="div" size="lg" tone={getTone(feedback?.well)} role="status">
            <b>
              {t('gunnyStation.count', {
                scanned: format.number(there.length),
                expected: format.number(gunny.expected.length),
              })}
            </b>
            {feedback && <span>{feedback.text}</span>}
          </Notice>
          <Grid min={240} gap={24} style={{ marginBlockEnd: 24 }}>
            <Numbers title={t('gunnyStation.toCome')} numbers={toCome} />
            <Numbers
              title={t('gunnyStation.extra')}
              numbers={extra}
              onUndo={(each) => setScans(scans.filter((one) => one !== each))}
            />
          </Grid>
          <Prints id={gunny.id} />
          <Buttons className={classes.actions}>
            {event === 'departed' && (
              <Button size="lg" loading={unpack.pending} onClick={() => void unpack.send()}>
                {t('gunnyStation.unpack')}
              </Button>
            )}
            {gunny.sealNumber && scans.length === 0 && (
              <Button size="lg" disabled={finish.pending} onClick={() => complete(true)}>
                {t(`gunnyStation.sealed.${event}`, { seal: gunny.sealNumber, count: gunny.expected.length })}
              </Button>
            )}
            <Button
              variant={toCome.length === 0 ? 'filled' : 'default'}
              size="lg"
              loading={finish.pending}
              onClick={() => complete(false)}
            >
              {t('gunnyStation.finish')}
            </Button>
          </Buttons>
        </>
      ) : (
        <p>{feedback?.text ?? t('gunnyStation.nothing', { status: label(gunnyStatusLabels, gunny.status) })}</p>
      )}
    </Panel>
  )
}

/** The numbers that were scanned in this count, compared with the expected ones, and the result of the latest scan. */
function useCountedScans(gunny: StaffGunny) {
  const t = useT()
  const format = useFormat()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  // A reload or another page must not lose a count of many parcels.
  const [scans, setScans] = useKept<readonly string[]>(`gunny-${gunny.id}-${gunny.nextCheck}`, [])
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const expectedNumbers = new Set(gunny.expected)
  const there = scans.filter((each) => expectedNumbers.has(each))
  const extra = scans.filter((each) => !expectedNumbers.has(each))
  const toCome = gunny.expected.filter((each) => !scans.includes(each))

  function tell(well: boolean, text: string) {
    beep(well)
    setFeedback({ well, text })
  }

  function scan(numbers: readonly string[]) {
    const more = new Set(scans)
    for (const text of numbers) {
      const reading = readTrackingNumber(text, prefix)
      const label = format.trackingNumber(reading.number)
      const isNumber = reading.kind !== 'slip' && reading.kind !== 'unknown'
      if (!isNumber && !expectedNumbers.has(reading.number)) tell(false, t('gunnyStation.wrong', { number: label }))
      else if (more.has(reading.number)) tell(true, t('gunnyStation.again', { number: label }))
      else {
        more.add(reading.number)
        const isExpected = expectedNumbers.has(reading.number)
        tell(isExpected, t(isExpected ? 'gunnyStation.there' : 'gunnyStation.more', { number: label }))
      }
    }
    setScans([...more])
  }

  return { scans, setScans, there, extra, toCome, feedback, setFeedback, tell, scan }
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

function Numbers({
  title,
  numbers,
  onUndo,
}: {
  title: string
  numbers: readonly string[]
  onUndo?: (number: string) => void
}) {
  const t = useT()
  const format = useFormat()
  if (numbers.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <LineList style={{ maxHeight: '40dvh', overflow: 'auto' }}>
        {numbers.map((number) => (
          <li key={number}>
            <Mono>{format.trackingNumber(number)}</Mono>
            {onUndo && (
              <Button size="sm" variant="subtle" onClick={() => onUndo(number)}>
                {t('gunnyStation.undo')}
              </Button>
            )}
          </li>
        ))}
      </LineList>
    </div>
  )
}

/** The result of a count: complete, or the differences by number. */
function Result({ check, gunny }: { check: GunnyCheck; gunny: StaffGunny }) {
  const t = useT()
  const format = useFormat()
  const lines = [
    ['missing', check.missing],
    ['extra', check.extra],
    ['refused', check.refused.map(({ number }) => number)],
    ['unknown', check.unknown],
  ] as const
  const differing = lines.filter(([, numbers]) => numbers.length > 0)
  return (
    <Notice as="div" size="lg" tone={getTone(differing.length === 0)} role="status">
      <b>
        {t('gunnyStation.done', { number: format.trackingNumber(gunny.number), moved: format.number(check.moved) })}
      </b>
      <span>{t(differing.length === 0 ? 'gunnyStation.doneEven' : 'gunnyStation.doneDiffers')}</span>
      {differing.map(([name, numbers]) => (
        <Row key={name} gap="0 12px">
          <span>{t('phrase.label', { label: t(`gunnyPage.${name}`) })}</span>
          {numbers.map((number) => (
            <Mono key={number}>{format.trackingNumber(number)}</Mono>
          ))}
        </Row>
      ))}
    </Notice>
  )
}
