import { type WidgetData, widgetKindLabels, widgetPeriods } from '@waybill/contract/dashboard/widgets'
import { type TrackingStatus, trackingStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { trackingStatusLooks } from '@waybill/contract/ground/status/status-look'
import { TextLink } from '../../components/buttons/link.tsx'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { LineList, Panel } from '../../components/layout/boxes.tsx'
import { Mono, Note, Quiet } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCountryName } from '../../lib/settings/countries.ts'
import classes from './dashboard.module.css'

export function StatusWidget({ data: { byTrackingStatus } }: { data: WidgetData['parcels_by_status'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const statuses = (Object.keys(trackingStatusLabels) as TrackingStatus[]).filter(
    (status) => (byTrackingStatus[status] ?? 0) > 0,
  )
  return (
    <Panel title={label(widgetKindLabels, 'parcels_by_status')} gap={4}>
      {statuses.length === 0 ? (
        <Note>{t('dashboardPage.noParcels')}</Note>
      ) : (
        <>
          <Quiet>{t('dashboardPage.statusPeriod', { count: widgetPeriods.days })}</Quiet>
          <LineList className={classes.dense}>
            {statuses.map((status) => (
              <li key={status}>
                <StatusPill look={trackingStatusLooks[status]} label={label(trackingStatusLabels, status)} />
                <span>{format.number(byTrackingStatus[status] ?? 0)}</span>
              </li>
            ))}
          </LineList>
        </>
      )}
    </Panel>
  )
}

export function FailedDeliveriesWidget({ data: { total, parcels } }: { data: WidgetData['failed_deliveries'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return (
    <Panel title={label(widgetKindLabels, 'failed_deliveries')} gap={4}>
      {parcels.length === 0 ? (
        <Note>{t('dashboardPage.noFailures')}</Note>
      ) : (
        <LineList className={classes.dense}>
          {parcels.map((parcel) => (
            <li key={parcel.parcelId}>
              <div>
                <TextLink to="/parcels/$id" params={{ id: parcel.parcelId }}>
                  <Mono>{parcel.trackingNumber && format.trackingNumber(parcel.trackingNumber)}</Mono>
                </TextLink>
                <Quiet>{[parcel.receiverName, parcel.receiverCity].filter(Boolean).join(', ')}</Quiet>
              </div>
              {parcel.decideBy && (
                <Quiet>{t('dashboardPage.decideBy', { time: format.dateTime(parcel.decideBy) })}</Quiet>
              )}
            </li>
          ))}
        </LineList>
      )}
      {total > parcels.length && (
        <TextLink to="/parcels" search={{ tab: 'problem', status: 'fail-to-deliver' }}>
          {t('dashboardPage.allFailures', { count: total, number: format.number(total) })}
        </TextLink>
      )}
    </Panel>
  )
}

export function DestinationsWidget({ data }: { data: WidgetData['top_destinations'] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const getCountryName = useCountryName()
  const since = { day: format.day(data.since) }
  const most = data.destinations[0]?.parcels ?? 1
  return (
    <Panel title={label(widgetKindLabels, 'top_destinations')} gap={4}>
      {data.destinations.length === 0 ? (
        <Note>{t('dashboardPage.noDestinations', since)}</Note>
      ) : (
        <>
          <Quiet>{t('dashboardPage.since', since)}</Quiet>
          <LineList className={classes.dense}>
            {data.destinations.map(({ country, state, parcels }) => (
              <li key={`${country} ${state}`}>
                <span>{state ?? getCountryName(country)}</span>
                <span>{format.number(parcels)}</span>
                <span className={classes.share} style={{ inlineSize: `${(100 * parcels) / most}%` }} aria-hidden />
              </li>
            ))}
          </LineList>
        </>
      )}
    </Panel>
  )
}
