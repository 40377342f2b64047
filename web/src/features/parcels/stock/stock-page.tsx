import { parcelStatusLabels, statusLabel } from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import { exportStock, listStock, type StockParcel, stockTabs } from '@waybill/contract/parcels/stock'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono, Quiet, Tag } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'

/** What a station has: the parcels that lie there, since when, and what happens to each next. */
export function StockPage() {
  const t = useT()
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const [selected, chooseStation] = useChosenStation()
  // Staff of a station see no other, wherever they scan at the moment.
  const stationId = own ?? selected
  return (
    <>
      <PageHeader title={t('stockPage.title')} description={t('stockPage.lead')} />
      {own === null && (
        <div style={{ maxWidth: 420, marginBlockEnd: 16 }}>
          <StationChoice value={stationId} onChange={chooseStation} />
        </div>
      )}
      {stationId === null ? (
        <MessagePanel kind="empty" title={t('stockPage.noStation')} text={t('stockPage.noStationHint')} />
      ) : (
        <StockList key={stationId} stationId={stationId} />
      )}
    </>
  )
}

function StockList({ stationId }: { stationId: string }) {
  const t = useT()
  const format = useFormat()
  const list = useList(listStock, { fixed: { stationId }, defaultSort: '+lastEventAt' })
  const counts = list.result.data?.counts
  return (
    <DataList
      list={list}
      label={t('stockPage.title')}
      searchLabel={t('stockPage.search')}
      sheet={exportStock}
      tabs={stockTabs.map((value) => ({ value, label: t(`stockPage.tab.${value}`), count: counts?.[value] }))}
      rowKey={(row: StockParcel) => row.parcelId}
      rowName={(row) => format.trackingNumber(row.trackingNumber)}
      columns={useStockColumns()}
      empty={{ title: t('stockPage.empty'), text: t('stockPage.emptyHint') }}
    />
  )
}

function useStockColumns(): Column<StockParcel>[] {
  const t = useT()
  const format = useFormat()
  const language = useLanguage()
  const next = ({ next: { step, station } }: StockParcel) => t(`stockStep.${step}`, { station: station ?? '' })
  return [
    {
      id: 'number',
      header: t('fields.trackingNumber'),
      card: 'title',
      phone: 'title',
      phoneCell: (row) => <Mono>{format.trackingNumber(row.trackingNumber)}</Mono>,
      cell: (row) => <StaffParcelLink number={row.trackingNumber} />,
    },
    {
      id: 'to',
      header: t('stockPage.to'),
      cell: ({ toName, toCity }) => [toName, toCity].filter(Boolean).join(' · ') || '–',
    },
    { id: 'account', header: t('inbox.account'), show: 'chosen', cell: ({ accountName }) => accountName },
    {
      id: 'status',
      header: t('fields.status'),
      phone: 'detailEnd',
      cell: ({ status, leg }) => (
        <StatusPill look={parcelStatusLooks[status]} label={statusLabel(parcelStatusLabels, status, leg, language)} />
      ),
    },
    {
      id: 'next',
      header: t('stockPage.next'),
      wraps: true,
      minWidth: 168,
      phone: 'detail',
      cell: (row) => (
        <>
          {next(row)}
          {row.collectUntil && <Quiet>{t('stockPage.until', { day: format.day(row.collectUntil) })}</Quiet>}
        </>
      ),
      phoneCell: next,
    },
    {
      id: 'lastEvent',
      header: t('stockPage.lastScan'),
      sort: 'lastEventAt',
      phone: 'end',
      phoneCell: (row) => <LastScan row={row} />,
      cell: (row) => <LastScan row={row} />,
    },
    {
      id: 'expected',
      header: t('stockPage.expected'),
      show: 'wide',
      cell: ({ expectedDate }) => (expectedDate ? format.day(expectedDate) : '–'),
    },
  ]
}

/** How long the parcel has been there, and whether that is too long. */
function LastScan({ row: { lastEventAt, late } }: { row: StockParcel }) {
  const t = useT()
  return (
    <>
      {lastEventAt ? <Time at={lastEventAt} inList="relative" /> : '–'}
      {late && <Tag tone="danger">{t('stockPage.late')}</Tag>}
    </>
  )
}
