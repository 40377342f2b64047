import { countLimit } from '@waybill/contract/ground/paging'
import { exportMissingLoads, listMissingLoads, type MissingLoad } from '@waybill/contract/parcels/transport/trips'
import { TextLink } from '../../../components/buttons/link.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Row } from '../../../components/layout/boxes.tsx'
import { Mono, Tag } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { LoadLink } from './load-rows.tsx'

/** What is missing from the trips from and to a station (null: all stations), until it is scanned anywhere. */
export function MissingList({ stationId }: { stationId: string | null }) {
  const t = useT()
  const format = useFormat()
  const list = useList(listMissingLoads, {
    defaultSort: '-missingSince',
    ...(stationId && { fixed: { stationId } }),
  })
  return (
    <DataList
      list={list}
      label={t('missingPage.title')}
      searchLabel={t('missingPage.search')}
      sheet={exportMissingLoads}
      countedTo={countLimit}
      rowKey={(row: MissingLoad) => `${row.loadId} ${row.number}`}
      rowName={(row) => format.trackingNumber(row.number)}
      columns={useColumns()}
      empty={{ title: t('missingPage.empty'), text: t('missingPage.emptyHint') }}
    />
  )
}

function useColumns(): Column<MissingLoad>[] {
  const t = useT()
  const format = useFormat()
  return [
    {
      id: 'number',
      header: t('missingPage.number'),
      card: 'title',
      phone: 'title',
      minWidth: 128,
      cell: (row) => (
        <Row as="span" gap="4px 8px">
          <LoadLink load={row} />
          {row.kind !== 'parcel' && <Tag>{t(`loadKind.${row.kind}`)}</Tag>}
        </Row>
      ),
      phoneCell: ({ number }) => format.trackingNumber(number),
    },
    {
      id: 'trip',
      header: t('tripPage.number'),
      minWidth: 128,
      cell: ({ tripId, tripNumber }) => (
        <TextLink to="/staff/trips/$id" params={{ id: tripId }}>
          <Mono>{format.trackingNumber(tripNumber)}</Mono>
        </TextLink>
      ),
    },
    {
      id: 'route',
      header: t('tripPage.route'),
      phone: 'detail',
      whole: true,
      phoneCell: ({ fromStation, toStation }) => `${fromStation.code} → ${toStation.code}`,
      cell: ({ fromStation, toStation }) => `${fromStation.name} → ${toStation.name}`,
    },
    {
      id: 'account',
      header: t('inbox.account'),
      phone: 'detailEnd',
      phoneCell: ({ accountName, kind }) => accountName ?? t(`loadKind.${kind}`),
      cell: ({ accountName }) => accountName ?? '–',
    },
    {
      id: 'parcels',
      header: t('tripPage.parcels'),
      align: 'end',
      show: 'wide',
      cell: ({ parcelCount }) => format.number(parcelCount),
    },
    {
      id: 'since',
      header: t('missingPage.since'),
      sort: 'missingSince',
      phone: 'end',
      cell: ({ missingSince }) => <Time at={missingSince} inList="exact" />,
    },
  ]
}
