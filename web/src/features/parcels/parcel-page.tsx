import { useParams } from '@tanstack/react-router'
import {
  carrierLabels,
  collectionModeLabels,
  contentTypeLabels,
  deliveryModeLabels,
  parcelStatusLabels,
  serviceTypeLabels,
  statusLabelOf,
} from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status-look'
import { getParcel, type ParcelDetail } from '@waybill/contract/parcels/parcels'
import { getPickupRequest } from '@waybill/contract/pickups/pickups'
import type { ComponentType, ReactNode } from 'react'
import { CopyNumber } from '../../components/copy-number.tsx'
import { TextLink } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { useLongDay } from '../../components/long-day.ts'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Photos } from '../../components/photos.tsx'
import { StatusPill } from '../../components/status-pill.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { useFormat } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { CarrierBookingPanel } from './carrier-handover/carrier-booking.tsx'
import { CustomsPanel } from './customs/customs-document.tsx'
import { DeliveryChoicePanel } from './failed-delivery/delivery-choice-panel.tsx'
import classes from './list/parcels.module.css'
import { PartyBlock } from './new-parcel/party-block.tsx'
import { NextStep } from './next-step.tsx'
import { ParcelActions } from './parcel-actions.tsx'
import { ProofOfDelivery } from './proof-of-delivery.tsx'
import { PriceExplainer } from './quotes/price-explainer.tsx'
import { CollectPanel } from './self-collection/collect-panel.tsx'
import { WeighingPanel } from './weighing/weighing-panel.tsx'

/**
 * One parcel: where it is and what happens next, its timeline, its papers, its price, and what may be done with it now.
 * Follows live.
 */
export function ParcelPage() {
  const t = useT()
  const { id } = useParams({ from: '/portal/parcels/$id' })
  const parcel = useCall(getParcel, { params: { id } })
  if (parcel.data) return <Shown parcel={parcel.data} />
  return (
    <>
      <PageHeader title={t('parcelPage.title')} />
      {parcel.error ? <ErrorPanel error={parcel.error} retry={() => void parcel.refetch()} /> : <Loading />}
    </>
  )
}

/** A panel of the page; one that has nothing to say about this parcel answers null, and takes no room then. */
type Panel = ComponentType<{ parcel: ParcelDetail }>

/**
 * What happens to the parcel, in the order of the page: the wide column. What the customer must decide comes before the
 * state, what they may like to read after the timeline. A new panel is one line here.
 */
const happening: readonly Panel[] = [
  WeighingPanel,
  DeliveryChoicePanel,
  CollectPanel,
  StatePanel,
  CarrierBookingPanel,
  TimelinePanel,
  ProofPanel,
]

/** What the parcel is: the narrow column. */
const facts: readonly Panel[] = [PartiesPanel, DetailsPanel, CustomsPanel, PricePanel]

function Shown({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const number = parcel.trackingNumber
  const name = parcel.receiver?.contactName
  return (
    <>
      <PageHeader
        title={name ? t('parcelPage.titleTo', { name }) : t('parcelPage.title')}
        description={
          number ? <CopyNumber value={number} shown={format.trackingNumber(number)} /> : t('parcelPage.noNumber')
        }
        actions={<ParcelActions parcel={parcel} />}
      />
      <div className={classes.columns}>
        {[happening, facts].map((panels, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: always the same two columns
          <div className={classes.column} key={column}>
            {panels.map((Each) => (
              <Each parcel={parcel} key={Each.displayName ?? Each.name} />
            ))}
          </div>
        ))}
      </div>
    </>
  )
}

function expectedWord(day: string, today: string) {
  if (day === today) return 'parcelPage.expectedToday'
  return day < today ? 'parcelPage.wasExpected' : 'parcelPage.expected'
}

/** Where it is now, and what happens next. */
function StatePanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const longDay = useLongDay()
  const language = useLanguage()
  const collectable = parcel.status === 'inbound' && parcel.collectUntil !== null
  return (
    <section className={classes.section}>
      <div className={classes.state} role="status">
        <StatusPill
          look={parcelStatusLooks[parcel.status]}
          label={statusLabelOf(parcelStatusLabels, parcel.status, parcel.leg, language)}
        />
        {parcel.leg === 'return' && !ended(parcel) && (
          <span className={classes.quiet}>{t('parcelPage.returning')}</span>
        )}
      </div>
      <NextStep parcel={parcel} />
      {/* The day is the receiver's: on the way back it means nothing. */}
      {parcel.expectedDate && parcel.leg === 'outbound' && !collectable && !ended(parcel) && (
        <p className={classes.expected}>
          {t(expectedWord(parcel.expectedDate, format.today()), { date: longDay(parcel.expectedDate) })}
          {parcel.promisedDate && (
            <span className={classes.promised}>
              {' '}
              {t('parcelPage.promised', { date: longDay(parcel.promisedDate) })}
            </span>
          )}
        </p>
      )}
    </section>
  )
}

function TimelinePanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  return (
    <section className={classes.section}>
      <h2>{t('parcelPage.timeline')}</h2>
      <Timeline
        label={t('parcelPage.timeline')}
        entries={[...parcel.events]
          .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
          .map((event) => ({
            key: event.id,
            title: t(`event.${event.event}`),
            detail: [event.place, event.note].filter(Boolean).join(' · ') || undefined,
            when: `${format.dateTime(event.at)} · ${format.relative(event.at)}`,
            dateTime: event.at,
            tone: parcelStatusLooks[event.status].tone,
          }))}
      />
    </section>
  )
}

function ProofPanel({ parcel }: { parcel: ParcelDetail }) {
  return parcel.proof && <ProofOfDelivery proof={parcel.proof} />
}

function PartiesPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  return (
    <section className={classes.section}>
      <h2>{t('parcelPage.parties')}</h2>
      <div className={classes.parties}>
        <PartyBlock title={t('fields.sender')} party={parcel.sender} />
        <PartyBlock title={t('fields.receiver')} party={parcel.receiver} />
      </div>
    </section>
  )
}

function DetailsPanel({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return (
    <section className={classes.section}>
      <h2>{t('parcelPage.details')}</h2>
      <dl className={classes.facts}>
        <Fact
          name={t('fields.serviceType')}
          value={parcel.serviceType && label(serviceTypeLabels, parcel.serviceType)}
        />
        <Fact
          name={t('fields.deliveryMode')}
          value={parcel.deliveryMode && label(deliveryModeLabels, parcel.deliveryMode)}
        />
        <Fact name={t('fields.carrier')} value={parcel.carrier && label(carrierLabels, parcel.carrier)} />
        <Fact name={t('fields.dropOffStationId')} value={parcel.stations.dropOff} />
        <Fact name={t('fields.selfCollectionStationId')} value={parcel.stations.selfCollection} />
        <PickupFact id={parcel.pickupRequestId} />
        {parcel.gunnyId && parcel.gunnyNumber && (
          <Fact
            name={t('parcelPage.gunny')}
            value={
              <TextLink to="/gunny/$id" params={{ id: parcel.gunnyId }}>
                {parcel.gunnyNumber}
              </TextLink>
            }
          />
        )}
        <Fact name={t('fields.weightGrams')} value={parcel.weightGrams && format.weight(parcel.weightGrams)} />
        <Fact name={t('fields.dimensions')} value={parcel.dimensions && format.dimensions(parcel.dimensions)} />
        <Fact
          name={t('fields.contentType')}
          value={parcel.contentType && label(contentTypeLabels, parcel.contentType)}
        />
        <Fact name={t('fields.contentDescription')} value={parcel.contentDescription} />
        <Fact name={t('fields.reference')} value={parcel.reference} />
        <Fact
          name={t('fields.declaredValueMinor')}
          value={parcel.declaredValueMinor && format.money(parcel.declaredValueMinor, parcel.currency)}
        />
        <Fact
          name={t('fields.insuredValueMinor')}
          value={parcel.insuredValueMinor && format.money(parcel.insuredValueMinor, parcel.currency)}
        />
        <Fact
          name={t('fields.codAmountMinor')}
          value={parcel.codAmountMinor && format.money(parcel.codAmountMinor, parcel.currency)}
        />
        <Fact
          name={t('fields.collectionMode')}
          value={parcel.collectionMode && label(collectionModeLabels, parcel.collectionMode)}
        />
        <Fact name={t('parcelPage.created')} value={format.dateTime(parcel.createdAt)} />
        <Fact name={t('parcelPage.createdBy')} value={parcel.createdByName} />
      </dl>
      <Photos photos={parcel.photos} alt={t('parcelPage.senderPhoto')} />
    </section>
  )
}

function PricePanel({ parcel }: { parcel: ParcelDetail }) {
  return parcel.price && <PriceExplainer price={parcel.price} />
}

/** When the rider comes for it, or came. */
function PickupFact({ id }: { id: string | null }) {
  const t = useT()
  const longDay = useLongDay()
  const pickup = useCall(getPickupRequest, { params: { id: id ?? '' } }, { enabled: id !== null })
  if (!pickup.data) return null
  const { number, date, window } = pickup.data
  return (
    <Fact
      name={t('fields.pickup')}
      value={t('parcelPage.pickup', { number, day: longDay(date), window: window.replace('-', ' – ') })}
    />
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  if (!value) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function ended({ status }: ParcelDetail): boolean {
  return ['completed', 'collected', 'recall', 'reverse_pickup', 'cancel', 'refunded'].includes(status)
}
