import { type Trip, tripStatusLabels } from '@waybill/contract/parcels/transport/trips'
import { TextLink } from '../../../components/buttons/link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Mono, Tag } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { tripLooks } from './trip-look.ts'

/** The columns of the list of trips. */
export function useTripColumns(): Column<Trip>[] {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return [
    {
      id: 'number',
      header: t('tripPage.number'),
      card: 'title',
      phone: 'title',
      minWidth: 128,
      cell: ({ id, number }) => (
        <TextLink to="/staff/trips/$id" params={{ id }}>
          <Mono>{format.trackingNumber(number)}</Mono>
        </TextLink>
      ),
    },
    {
      id: 'status',
      header: t('fields.status'),
      phone: 'end',
      cell: ({ status }) => <StatusPill look={tripLooks[status]} label={label(tripStatusLabels, status)} />,
    },
    {
      id: 'route',
      header: t('tripPage.route'),
      phone: 'detail',
      whole: true,
      phoneCell: ({ fromStation, toStation }) => `${fromStation.code} → ${toStation.code}`,
      cell: ({ fromStation, toStation }) => `${fromStation.name} → ${toStation.name}`,
    },
    { id: 'vehicle', header: t('tripPage.vehicle'), cell: ({ vehicle }) => vehicle },
    { id: 'driver', header: t('fields.driverName'), show: 'chosen', cell: ({ driverName }) => driverName },
    {
      id: 'loads',
      header: t('tripPage.loads'),
      align: 'end',
      show: 'chosen',
      cell: ({ loadCount }) => format.number(loadCount),
    },
    {
      id: 'parcels',
      header: t('tripPage.parcels'),
      align: 'end',
      show: 'wide',
      cell: ({ parcelCount }) => format.number(parcelCount),
    },
    {
      id: 'weight',
      header: t('fields.weightGrams'),
      align: 'end',
      show: 'chosen',
      cell: ({ weightGrams }) => format.weight(weightGrams),
    },
    {
      id: 'differences',
      header: t('tripPage.differences'),
      whole: true,
      phone: 'detailEnd',
      // In words, because the background of tags would touch the status above.
      phoneCell: ({ missingCount, extraCount, vehicle }) =>
        [
          missingCount > 0 && t('tripPage.missingCount', { count: missingCount }),
          extraCount > 0 && t('tripPage.extraCount', { count: extraCount }),
        ]
          .filter(Boolean)
          .join(' · ') || vehicle,
      cell: (row) => <DifferenceTags trip={row} />,
    },
    {
      id: 'departed',
      header: t('tripPage.departed'),
      cell: ({ departedAt }) => (departedAt ? <Time at={departedAt} inList="exact" /> : '–'),
    },
    {
      id: 'arrived',
      header: t('tripPage.arrived'),
      show: 'wide',
      cell: ({ arrivedAt }) => (arrivedAt ? <Time at={arrivedAt} inList="exact" /> : '–'),
    },
  ]
}

/** How many loads were missing, and how many were extra; empty if everything agreed. */
function DifferenceTags({ trip: { missingCount, extraCount } }: { trip: Trip }) {
  const t = useT()
  return (
    <>
      {missingCount > 0 && <Tag tone="danger">{t('tripPage.missingCount', { count: missingCount })}</Tag>}{' '}
      {extraCount > 0 && <Tag tone="warning">{t('tripPage.extraCount', { count: extraCount })}</Tag>}
    </>
  )
}
