import { useParams } from '@tanstack/react-router'
import { findAddressee, isEnded } from '@waybill/contract/ground/status/parcel-status'
import { type StaffParcel, staffParcelByNumber } from '@waybill/contract/parcels/scanning'
import type { ComponentType } from 'react'
import { ButtonLink, TextLink } from '../../components/buttons/link.tsx'
import { CopyNumber } from '../../components/display/copy-number.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { ParcelPill } from '../../components/display/record-pills.tsx'
import { Remarks } from '../../components/display/remarks.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Columns, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Notice, Quiet, Tag } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { PriceReplayFold } from './counter/price-replay.tsx'
import { DeclareLost } from './declare-lost.tsx'
import { RecordChoice } from './failed-delivery/record-choice.tsx'
import { ParcelDetails, ParcelParties } from './parcel-details.tsx'
import { ParcelTimeline } from './parcel-timeline.tsx'
import { ProofOfDelivery } from './proof-of-delivery.tsx'
import { PriceExplainer } from './quotes/price-explainer.tsx'
import { FailedAttemptNote } from './rider-tasks/failed-attempt-note.tsx'
import { useCustodyText } from './scanning/custody-text.ts'
import { findDeliveryDay } from './shared/delivery-day.ts'

/** A panel of a higher domain about the order of a parcel. */
type OrderPanel = ComponentType<{ id: string }>

/** One parcel for staff who answer its sender: its state and holder, timeline, order, addresses and price. */
export function StaffParcelPage({ order }: { order: OrderPanel }) {
  const t = useT()
  const { no } = useParams({ from: '/staff/staff/parcels/$no' })
  const parcel = useCall(staffParcelByNumber, { params: { no } }, { staleTime: 0 })
  if (parcel.data) return <Shown parcel={parcel.data} order={order} />
  return (
    <>
      <PageHeader title={t('parcelPage.title')} />
      {parcel.error ? <ErrorPanel error={parcel.error} retry={() => void parcel.refetch()} /> : <Loading />}
    </>
  )
}

function Shown({ parcel, order: OrderPanel }: { parcel: StaffParcel; order: OrderPanel }) {
  const t = useT()
  const format = useFormat()
  const mayOperate = useMay('staff.operate')
  const mayAnswer = useMay('staff.accounts')
  const number = parcel.trackingNumber ?? ''
  const name = parcel.receiver?.contactName
  return (
    <>
      <PageHeader
        title={name ? t('parcelPage.titleTo', { name }) : t('parcelPage.title')}
        description={<CopyNumber value={number} text={format.trackingNumber(number)} />}
        actions={
          <>
            {mayAnswer && (
              <ButtonLink to="/staff/inbox/$id" params={{ id: parcel.id }}>
                {t('staffParcel.messages')}
              </ButtonLink>
            )}
            {mayOperate && (
              <ButtonLink to="/staff/counter" search={{ no: number }} variant="filled">
                {t('staffParcel.atCounter')}
              </ButtonLink>
            )}
          </>
        }
      />
      <Columns template="minmax(0, 3fr) minmax(280px, 2fr)">
        <Stack gap={24}>
          <StatePanel parcel={parcel} />
          {parcel.proof && <ProofOfDelivery proof={parcel.proof} />}
          <ParcelTimeline events={parcel.events} />
        </Stack>
        <Stack gap={24}>
          {parcel.orderId && <OrderPanel id={parcel.orderId} />}
          <ParcelParties parcel={parcel} />
          <ParcelDetails
            parcel={parcel}
            links={parcel.gunnyNumber && <GunnyFact number={parcel.gunnyNumber} isLink={mayOperate} />}
          />
          {parcel.price && (
            <div>
              <PriceExplainer price={parcel.price} />
              <PriceReplayFold trackingNumber={number} />
            </div>
          )}
        </Stack>
      </Columns>
    </>
  )
}

/** The status, the expected day, the holder, and what keeps the parcel from moving on. */
function StatePanel({ parcel }: { parcel: StaffParcel }) {
  const t = useT()
  const format = useFormat()
  const longDay = useLongDay()
  const custody = useCustodyText()
  const mayOperate = useMay('staff.operate')
  const mayAnswer = useMay('staff.accounts')
  const day = findDeliveryDay(parcel)
  const reading = parcel.latestReading
  const remarks = findAddressee(parcel)?.remarks
  return (
    <Panel title={t('staffParcel.state')}>
      <Row gap="12px 16px">
        <ParcelPill parcel={parcel} waitsForApproval={parcel.waitsForApproval} />
        {parcel.leg === 'return' && !isEnded(parcel.status) && <Quiet>{t('parcelPage.returning')}</Quiet>}
      </Row>
      {parcel.amountDueMinor > 0 && (
        <Notice as="div" tone="danger">
          <span>{t('counterPage.due', { amount: format.money(parcel.amountDueMinor, parcel.currency) })}</span>
          {mayOperate && (
            <ButtonLink to="/staff/cash" search={{ no: parcel.trackingNumber ?? '' }}>
              {t('counterPage.takeCash')}
            </ButtonLink>
          )}
        </Notice>
      )}
      {parcel.failedAttempt && <FailedAttemptNote failure={parcel.failedAttempt} />}
      {parcel.failedAttempt?.decideUntil && <RecordChoice parcelId={parcel.id} />}
      <Remarks text={remarks} />
      <Facts>
        {!isEnded(parcel.status) && <Fact label={t('counterPage.holder')}>{custody(parcel.custody)}</Fact>}
        <TransportFacts transport={parcel.transport} isLink={mayOperate} />
        {!isEnded(parcel.status) && <Fact label={t('counterPage.lastStation')}>{parcel.lastStation?.name}</Fact>}
        <Fact label={t('staffParcel.expected')}>{day && longDay(day)}</Fact>
        <Fact label={t('staffParcel.promised')}>{parcel.promisedDate && longDay(parcel.promisedDate)}</Fact>
        <Fact label={t('staffParcel.collectUntil')}>{parcel.collectUntil && longDay(parcel.collectUntil)}</Fact>
        <Fact label={t('weighing.measured')}>
          {reading && [format.weight(reading.weightGrams), format.dateTime(reading.at)].join(' · ')}
        </Fact>
        <Fact label={t('counterPage.account')}>
          {mayAnswer ? (
            <TextLink to="/staff/accounts/$id" params={{ id: parcel.accountId }}>
              {parcel.accountName}
            </TextLink>
          ) : (
            parcel.accountName
          )}
        </Fact>
      </Facts>
      <DeclareLost parcel={parcel} />
    </Panel>
  )
}

/** The bag and the trip of a parcel. */
function TransportFacts({
  transport: { bagNumber, trip },
  isLink,
}: Pick<StaffParcel, 'transport'> & { isLink: boolean }) {
  const t = useT()
  const format = useFormat()
  const bag = bagNumber && format.trackingNumber(bagNumber)
  const tripText = trip && format.trackingNumber(trip.number)
  return (
    <>
      <Fact label={t('loadKind.bag')}>
        {bag && isLink ? (
          <TextLink to="/staff/bags" search={{ no: bagNumber }}>
            {bag}
          </TextLink>
        ) : (
          bag
        )}
      </Fact>
      <Fact label={t('tripPage.number')}>
        {trip && (
          <Row gap={8} justify="end">
            {isLink ? (
              <TextLink to="/staff/trips/$id" params={{ id: trip.id }}>
                {tripText}
              </TextLink>
            ) : (
              <span>{tripText}</span>
            )}
            {trip.missing && <Tag tone="danger">{t('tripPage.missing')}</Tag>}
          </Row>
        )}
      </Fact>
    </>
  )
}

function GunnyFact({ number, isLink }: { number: string; isLink: boolean }) {
  const t = useT()
  const text = useFormat().trackingNumber(number)
  return (
    <Fact label={t('parcelPage.gunny')}>
      {isLink ? (
        <TextLink to="/staff/gunny" search={{ no: number }}>
          {text}
        </TextLink>
      ) : (
        text
      )}
    </Fact>
  )
}
