import {
  deliveryModeLabels,
  enumLabel,
  parcelStatusLabels,
  serviceTypeLabels,
  statusLabel,
  type TrackingStatus,
  trackingStatusLabels,
} from '@waybill/contract/ground/enums'
import { parcelStatusLooks, trackingStatusLooks } from '@waybill/contract/ground/status-look'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { PublicTracking } from '@waybill/contract/tracking/tracking'
import { useMemo } from 'react'
import { CopyNumber } from '../../components/copy-number.tsx'
import { StatusPill } from '../../components/status-pill.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { createFormat, defaultFormatSettings } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.ts'
import classes from './track.module.css'

/** How far along: handed over, on the way, out for delivery, there. Statuses off the straight way have no such bar. */
const steps: readonly (readonly TrackingStatus[])[] = [
  ['pending', 'pending_pickup', 'pending_dropoff'],
  ['in_transit'],
  ['out_for_delivery'],
  ['delivered'],
]
const stepNames = ['booked', 'moving', 'out', 'there'] as const

/** One parcel as anybody may see it: where it is, what happens next and when, how it came there. */
export function TrackedParcel({ parcel, timezone, open }: { parcel: PublicTracking; timezone: string; open: boolean }) {
  const t = useT()
  const language = useLanguage()
  const format = useMemo(() => createFormat({ ...defaultFormatSettings, timezone }, language), [timezone, language])
  const step = parcel.leg === 'outbound' ? steps.findIndex((statuses) => statuses.includes(parcel.trackingStatus)) : -1
  const ended = parcel.trackingStatus === 'delivered' || parcel.trackingStatus === 'cancelled'
  const events = [...parcel.events].sort((a, b) => b.at.localeCompare(a.at))
  const next =
    parcel.leg === 'return'
      ? ended
        ? 'returned'
        : 'return'
      : parcel.status === 'fail-to-deliver'
        ? 'failed'
        : parcel.trackingStatus
  const details = [
    parcel.serviceType && enumLabel(serviceTypeLabels, parcel.serviceType, language),
    parcel.deliveryMode && enumLabel(deliveryModeLabels, parcel.deliveryMode, language),
  ].filter(Boolean)

  return (
    <article className={classes.card}>
      <header className={classes.cardHead}>
        <h2 className={classes.number}>
          <CopyNumber value={parcel.trackingNumber} shown={groupTrackingNumber(parcel.trackingNumber)} size="lg" />
        </h2>
        <StatusPill
          look={
            parcel.status === 'fail-to-deliver'
              ? parcelStatusLooks[parcel.status]
              : trackingStatusLooks[parcel.trackingStatus]
          }
          label={
            parcel.status === 'fail-to-deliver'
              ? enumLabel(parcelStatusLabels, parcel.status, language)
              : statusLabel(trackingStatusLabels, parcel.trackingStatus, parcel.leg, language)
          }
        />
      </header>
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
      <p className={classes.next}>{t(`trackPage.next.${next}`)}</p>
      <dl className={classes.facts}>
        {parcel.collectUntil && (
          <div>
            <dt>{t('trackPage.collectUntil')}</dt>
            <dd>
              {t('cart.longDay', {
                weekday: format.weekday(parcel.collectUntil),
                day: format.day(parcel.collectUntil),
              })}
            </dd>
          </div>
        )}
        {parcel.expectedDate && !ended && (
          <div>
            <dt>{t('trackPage.expected')}</dt>
            <dd>
              {t('cart.longDay', {
                weekday: format.weekday(parcel.expectedDate),
                day: format.day(parcel.expectedDate),
              })}
              {parcel.promisedDate && (
                <span className={classes.quiet}>
                  {' '}
                  {t('trackPage.promised', {
                    date: t('cart.longDay', {
                      weekday: format.weekday(parcel.promisedDate),
                      day: format.day(parcel.promisedDate),
                    }),
                  })}
                </span>
              )}
            </dd>
          </div>
        )}
        {(parcel.originCity || parcel.destinationCity) && (
          <div>
            <dt>{t('trackPage.route')}</dt>
            <dd>{[parcel.originCity, parcel.destinationCity].filter(Boolean).join(' → ')}</dd>
          </div>
        )}
        {details.length > 0 && (
          <div>
            <dt>{t('trackPage.service')}</dt>
            <dd>{details.join(' · ')}</dd>
          </div>
        )}
      </dl>
      <details className={classes.history} open={open}>
        <summary>{t('trackPage.history', { count: events.length })}</summary>
        <div className={classes.events}>
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
      </details>
    </article>
  )
}
