import { enumLabel } from '@waybill/contract/ground/enums/labels'
import {
  deliveryModeLabels,
  parcelStatusLabels,
  serviceTypeLabels,
  type TrackingStatus,
  trackingStatusLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import { parcelStatusLooks, trackingStatusLooks } from '@waybill/contract/ground/status/status-look'
import { isTrackingEnded } from '@waybill/contract/ground/status/tracking-status'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { useMemo } from 'react'
import { CopyNumber } from '../../components/display/copy-number.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Timeline } from '../../components/display/timeline.tsx'
import { Panel, Row } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { Fold } from '../../components/layout/fold.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { createFormat, defaultFormatSettings } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { ParcelExtras } from './parcel-extras.tsx'
import classes from './track.module.css'

/** The progress: handed over, in transit, out for delivery, delivered. Other statuses have no progress bar. */
const steps: readonly (readonly TrackingStatus[])[] = [
  ['pending', 'pending_pickup', 'pending_dropoff'],
  ['in_transit'],
  ['out_for_delivery'],
  ['delivered'],
]
const stepNames = ['booked', 'moving', 'out', 'there'] as const

/** A parcel on the public page: where it is, the next step with its date, and the history. */
export function TrackedParcel({ parcel, timezone, open }: { parcel: PublicTracking; timezone: string; open: boolean }) {
  const t = useT()
  const language = useLanguage()
  const format = useMemo(() => createFormat({ ...defaultFormatSettings, timezone }, language), [timezone, language])
  const longDay = useLongDay(format)
  const step = parcel.leg === 'outbound' ? steps.findIndex((statuses) => statuses.includes(parcel.trackingStatus)) : -1
  const isOver = isTrackingEnded(parcel.trackingStatus)
  const hasFailed = parcel.status === 'fail-to-deliver'
  const isCollectable = parcel.status === 'inbound' && parcel.collectUntil !== null
  const events = [...parcel.events].sort((a, b) => b.at.localeCompare(a.at))
  const details = [
    parcel.serviceType && enumLabel(serviceTypeLabels, parcel.serviceType, language),
    parcel.deliveryMode && enumLabel(deliveryModeLabels, parcel.deliveryMode, language),
  ].filter(Boolean)

  return (
    <Panel as="article" padding={16}>
      <Row as="header" justify="between">
        <h2>
          <CopyNumber value={parcel.trackingNumber} text={groupTrackingNumber(parcel.trackingNumber)} size="lg" />
        </h2>
        <StatusPill
          look={hasFailed ? parcelStatusLooks[parcel.status] : trackingStatusLooks[parcel.trackingStatus]}
          label={
            hasFailed
              ? enumLabel(parcelStatusLabels, parcel.status, language)
              : statusLabel(trackingStatusLabels, parcel.trackingStatus, parcel.leg, language)
          }
        />
      </Row>
      {step >= 0 && (
        <ol className={classes.steps} aria-label={t('trackPage.progress')}>
          {stepNames.map((name, index) => (
            <li
              key={name}
              className={classes.step}
              data-done={index <= step}
              aria-current={index === step ? 'step' : undefined}
            >
              {t(`trackPage.step.${name}`)}
            </li>
          ))}
        </ol>
      )}
      <p>{t(`trackPage.next.${parcel.next}`)}</p>
      <Facts layout="tiles">
        {parcel.collectUntil && <Fact label={t('trackPage.collectUntil')}>{longDay(parcel.collectUntil)}</Fact>}
        {parcel.expectedDate && !isOver && !isCollectable && (
          <Fact label={t('trackPage.expected')}>
            {longDay(parcel.expectedDate)}
            {parcel.promisedDate && <Quiet> {t('trackPage.promised', { date: longDay(parcel.promisedDate) })}</Quiet>}
          </Fact>
        )}
        {(parcel.originCity || parcel.destinationCity) && (
          <Fact label={t('trackPage.route')}>
            {[parcel.originCity, parcel.destinationCity].filter(Boolean).join(' → ')}
          </Fact>
        )}
        {details.length > 0 && <Fact label={t('trackPage.service')}>{details.join(' · ')}</Fact>}
      </Facts>
      <ParcelExtras parcel={parcel} format={format} />
      <Fold open={open} summary={t('trackPage.history', { count: events.length })}>
        <div style={{ marginBlockStart: 12 }}>
          <Timeline
            label={t('trackPage.history', { count: events.length })}
            entries={events.map((event) => ({
              key: `${event.at}${event.event}`,
              title: t(`event.${event.event}`),
              detail: event.place,
              when: `${format.dateTime(event.at)} · ${format.relative(event.at)}`,
              dateTime: event.at,
              tone: parcelStatusLooks[event.status].tone,
            }))}
          />
        </div>
      </Fold>
    </Panel>
  )
}
