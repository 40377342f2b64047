import { Button } from '@mantine/core'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { findAddressee, isEnded } from '@waybill/contract/ground/status/parcel-status'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import { type StaffParcel, scan } from '@waybill/contract/parcels/scanning'
import { type ReactNode, useRef, useState } from 'react'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { Photos } from '../../../components/display/photos.tsx'
import { Remarks } from '../../../components/display/remarks.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ScanField } from '../../../components/fields/scan-field.tsx'
import { Buttons, Panel, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono, Note, Notice, Quiet } from '../../../components/layout/text.tsx'
import { ScanNotice, useScanResult } from '../../../components/scans/scan-notice.tsx'
import { useLinkedNumber, useLookup } from '../../../components/scans/use-lookup.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { sendInOrder } from '../../../lib/send-queue/send-in-order.ts'
import { FailedAttemptNote } from '../rider-tasks/failed-attempt-note.tsx'
import { useCustodyText } from '../scanning/custody-text.ts'
import classes from '../scanning/scan.module.css'
import { type ScanDetails, ScanDetailsPanel } from '../scanning/scan-details.tsx'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { ParcelPrints } from '../shared/parcel-prints.tsx'
import { findAtCounter, Matches } from './matches.tsx'
import { PriceReplayFold } from './price-replay.tsx'
import { type CounterEvent, counterEvents, RefusedReports, useRefusedReports } from './refused-reports.tsx'

/** The button of each event: keys of `counterPage`. */
const eventWords = { accepted: 'accept', handed_over: 'handOut', return_received: 'handBack' } as const

/** The message of each event: keys of `counterPage`. */
const doneWords = { accepted: 'accepted', handed_over: 'handedOut', return_received: 'handedBack' } as const

/** Whether a text cannot be a tracking number: often it is the number of an order or a pickup. */
const isOtherNumber = (error: unknown) => error instanceof ApiError && error.code === 'tracking_number_format'

type Props = {
  /** The form that weighs a parcel, with callbacks for its end. */
  weighing: (
    parcel: StaffParcel,
    on: { onDone: (result: { held: boolean; text: string }) => Promise<void>; onCancel: () => void },
  ) => ReactNode
}

/** The counter: scan a number, then accept the parcel, hand it out or weigh it again. */
export function CounterPage({ weighing }: Props) {
  const t = useT()
  const { result, show, reset } = useScanResult()
  const [step, setStep] = useState<'look' | CounterEvent | 'weigh'>('look')
  const refused = useRefusedReports()
  const [stationId, chooseStation] = useChosenStation()
  const callOnce = useCallOnce()

  const {
    result: answer,
    pending,
    find,
    clear,
  } = useLookup(
    (text) => findAtCounter(text, stationId),
    (error, text) => show(false, text, isOtherNumber(error) ? t('counterPage.otherNumber') : errorMessage(error)),
  )
  const parcel = answer?.parcel ?? null
  const matches = answer?.matches ?? null
  // Announces matches, because the field keeps the focus.
  const ready = matches ? 'counterPage.byPosition' : 'counterPage.ready'
  /** The latest scan. The clerk may go on before the report of the parcel before is answered. */
  const latest = useRef('')
  async function look(text: string) {
    latest.current = text
    setStep('look')
    if (await find(text)) reset()
  }
  useLinkedNumber((text) => void look(text))
  const sending = useSend(
    (no: string, event: CounterEvent, details: ScanDetails, _scanned: string) =>
      callOnce(scan, {
        body: { trackingNumber: no, event, ...(stationId ? { stationId } : {}), ...details },
      }),
    {
      onSuccess: async (_, no, event, _details, scanned) => {
        refused.forget({ number: no, event })
        if (latest.current === scanned) await look(no)
        show(true, no, t(`counterPage.${doneWords[event]}`))
      },
      onError: (error, no, event, details) => {
        const text = errorMessage(error)
        show(false, no, text)
        // The next parcel may be scanned already, so no dialog opens.
        refused.refuse({ number: no, event, details, text, error })
        return true
      },
    },
  )
  const [inOrder] = useState(sendInOrder<boolean>)
  function report(no: string, event: CounterEvent, details: ScanDetails) {
    // A report that is sent again must not replace the parcel that is on the screen now.
    const scanned = no === parcel?.trackingNumber ? latest.current : ''
    return inOrder(`${no} ${event}`, () => sending.send(no, event, details, scanned))
  }

  const no = parcel?.trackingNumber ?? ''
  const mainEvents = counterEvents.filter((event) => parcel?.allowedEvents.includes(event))
  function begin(event: CounterEvent) {
    if (event === 'accepted') void report(no, event, {})
    else setStep(event)
  }
  /** Typed before the parcel is on the screen, a number is ignored: it would act on the parcel before. */
  function choose(position: number): boolean {
    const match = matches?.items[position - 1]
    if (match && !pending) void look(match.trackingNumber)
    if (matches) return true
    const event = mainEvents[position - 1]
    if (event && !pending) begin(event)
    return event !== undefined || pending
  }
  return (
    <>
      <CounterHeader />
      <div style={{ maxWidth: 420, marginBlockEnd: 16 }}>
        <StationChoice value={stationId} onChange={chooseStation} />
      </div>
      <ScanField
        label={t('counterPage.number')}
        help={t('counterPage.help')}
        action={t('counterPage.find')}
        onScan={(numbers) => void look(numbers.at(-1) ?? '')}
        onChoice={choose}
        active={step === 'look'}
        main={answer === null}
      />
      {(result || !parcel) && <ScanNotice result={result} ready={t(ready)} />}
      <RefusedReports refused={refused} onReport={(each) => report(each.number, each.event, each.details)} />
      {matches && <Matches matches={matches} onChoose={(no) => void look(no)} />}
      {parcel && step === 'look' && (
        <Panel style={{ marginBlock: '16px 24px' }} aria-label={no}>
          <ParcelFacts parcel={parcel} />
          <ParcelPrints parcel={parcel} />
          <Buttons className={classes.actions}>
            {mainEvents.map((event, index) => (
              <Button
                key={event}
                variant="filled"
                size="lg"
                leftSection={
                  <kbd className={classes.key} aria-hidden>
                    {index + 1}
                  </kbd>
                }
                loading={event === 'accepted' && sending.pending}
                onClick={() => begin(event)}
              >
                {t(`counterPage.${eventWords[event]}`)}
              </Button>
            ))}
            {parcel.mayWeigh && (
              <Button size="lg" onClick={() => setStep('weigh')}>
                {t(parcel.weighingCorrectableUntil ? 'counterPage.correctWeight' : 'counterPage.reweigh')}
              </Button>
            )}
            <Button
              size="lg"
              onClick={() => {
                latest.current = ''
                clear()
                reset()
              }}
            >
              {t('counterPage.next')}
            </Button>
          </Buttons>
          {mainEvents.length > 0 && <Note>{t('counterPage.byNumber')}</Note>}
          {parcel.price && <PriceReplayFold key={no} trackingNumber={no} />}
        </Panel>
      )}
      {parcel && (step === 'handed_over' || step === 'return_received') && (
        <ScanDetailsPanel
          event={step}
          number={no}
          onCancel={() => setStep('look')}
          onDone={(details) => report(no, step, details)}
        />
      )}
      {parcel &&
        step === 'weigh' &&
        weighing(parcel, {
          onCancel: () => setStep('look'),
          onDone: async ({ held: isHeld, text }) => {
            await look(no)
            show(!isHeld, no, text)
          },
        })}
    </>
  )
}

function CounterHeader() {
  const t = useT()
  return (
    <PageHeader
      title={t('counterPage.title')}
      actions={<ButtonLink to="/staff/counter/walk-in">{t('walkInPage.begin')}</ButtonLink>}
    />
  )
}

function ParcelFacts({ parcel }: { parcel: StaffParcel }) {
  const t = useT()
  const format = useFormat()
  const language = useLanguage()
  const custody = useCustodyText()
  const remarks = findAddressee(parcel)?.remarks
  const hasEvents = counterEvents.some((event) => parcel.allowedEvents.includes(event))
  const isDue = parcel.amountDueMinor > 0
  const reading = parcel.latestReading
  const measures = (weightGrams: number | null, size: StaffParcel['dimensions'], at?: string) =>
    weightGrams !== null && (
      <>
        {format.weight(weightGrams)}
        {size && <Quiet>{format.dimensions(size)}</Quiet>}
        {at && <Quiet>{format.dateTime(at)}</Quiet>}
      </>
    )
  const facts: [string, ReactNode][] = [
    [t('counterPage.holder'), isEnded(parcel.status) ? null : custody(parcel.custody)],
    [t('counterPage.lastStation'), parcel.lastStation?.name ?? null],
    [t('counterPage.account'), parcel.accountName],
    [t('counterPage.from'), parcel.sender && `${parcel.sender.contactName} · ${parcel.sender.city}`],
    [t('counterPage.to'), parcel.receiver && `${parcel.receiver.contactName} · ${parcel.receiver.city}`],
    [t('counterPage.weight'), measures(parcel.weightGrams, parcel.dimensions)],
    [t('weighing.measured'), reading && measures(reading.weightGrams, reading.dimensions, reading.at)],
  ]
  return (
    <>
      <Row justify="between">
        <Mono as="h2">{parcel.trackingNumber && format.trackingNumber(parcel.trackingNumber)}</Mono>
        <StatusPill
          look={parcelStatusLooks[parcel.status]}
          label={statusLabel(parcelStatusLabels, parcel.status, parcel.leg, language)}
        />
      </Row>
      {isDue && (
        <Notice as="div" tone="danger" role="alert">
          <span>{t('counterPage.due', { amount: format.money(parcel.amountDueMinor, parcel.currency) })}</span>
          <ButtonLink
            to="/staff/cash"
            search={{ no: parcel.trackingNumber ?? '' }}
            {...(!hasEvents && { variant: 'filled' })}
          >
            {t('counterPage.takeCash')}
          </ButtonLink>
        </Notice>
      )}
      <Facts layout="tiles" min={140}>
        {facts.map(([name, value]) => (
          <Fact key={name} label={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      <p>
        <TextLink to="/staff/parcels/$no" params={{ no: parcel.trackingNumber ?? '' }}>
          {t('staffParcel.open')}
        </TextLink>
      </p>
      {(remarks || parcel.failedAttempt) && (
        <Stack gap={12} style={{ marginBlockEnd: 16 }}>
          <Remarks text={remarks} />
          {parcel.failedAttempt && <FailedAttemptNote failure={parcel.failedAttempt} />}
        </Stack>
      )}
      <Photos photos={parcel.photos} alt={t('parcelPage.senderPhoto')} />
      <Photos photos={parcel.proof?.photos ?? []} alt={t('parcelPage.proofPhoto')} />
      <NoAction parcel={parcel} />
    </>
  )
}

/** Why there is no button for the parcel, with the page that has one. Nothing if a button or an amount is shown. */
function NoAction({ parcel }: { parcel: StaffParcel }) {
  const t = useT()
  const { allowedEvents } = parcel
  if (parcel.status === 'lost') {
    return (
      <Notice as="div">
        <span>{t('counterPage.lost')}</span>
        <ButtonLink to="/staff/scan">{t('counterPage.scanArrival')}</ButtonLink>
      </Notice>
    )
  }
  if (allowedEvents.includes('picked_up')) {
    return (
      <Notice as="div">
        <span>{t('counterPage.waitsForRider')}</span>
        <ButtonLink to="/staff/scan">{t('counterPage.scanPickup')}</ButtonLink>
      </Notice>
    )
  }
  const hasButton = counterEvents.some((event) => allowedEvents.includes(event)) || parcel.mayWeigh
  return !hasButton && parcel.amountDueMinor === 0 && <Note>{t('counterPage.nothing')}</Note>
}
