import { Button } from '@mantine/core'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import { parcelStatusLooks } from '@waybill/contract/ground/status/status-look'
import {
  exportStock,
  listStock,
  type StockCount as StockCountResult,
  type StockParcel,
  stockTabs,
} from '@waybill/contract/parcels/stock'
import { type ReactNode, useState } from 'react'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { Time } from '../../../components/display/time.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Mono, Note, Quiet, Tag } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useSharedKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useLanguage, useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'
import { StationChoice, useChosenStation } from '../scanning/station-choice.tsx'
import { StockCount, StockCountEnd } from './stock-count.tsx'
import { useStockCount } from './use-stock-count.ts'

/** The parcels at a station, how long each has been there, and its next step. */
export function StockPage() {
  const t = useT()
  const own = useSession((state) => state.auth.user?.staff?.stationId ?? null)
  const [selected, chooseStation] = useChosenStation()
  // Staff of a station see no other, wherever they scan at the moment.
  const stationId = own ?? selected
  const choice = own === null && (
    <div style={{ maxWidth: 420, marginBlockEnd: 16 }}>
      <StationChoice value={stationId} onChange={chooseStation} />
    </div>
  )
  if (stationId) return <Stock key={stationId} stationId={stationId} choice={choice} />
  return (
    <>
      <PageHeader title={t('stockPage.title')} description={t('stockPage.lead')} />
      {choice}
      <MessagePanel kind="empty" title={t('stockPage.noStation')} text={t('stockPage.noStationHint')} />
    </>
  )
}

/** The stock of one station, or its count. */
function Stock({ stationId, choice }: { stationId: string; choice: ReactNode }) {
  const t = useT()
  const count = useStockCount(stationId)
  const [isCounting, setCounting] = useState(false)
  // Kept until it is closed: what differs is handled one by one, on other screens.
  const [result, setResult] = useSharedKept<StockCountResult | null>(`stock-count-result-${stationId}`, null)
  const begin = useSend(count.begin)
  async function startCounting() {
    if (!count.open && !(await begin.send())) return
    setResult(null)
    setCounting(true)
  }
  const isOpen = isCounting && count.open !== null
  return (
    <>
      <PageHeader
        title={t('stockPage.title')}
        description={isOpen || result ? undefined : t('stockPage.lead')}
        actions={
          !isOpen && (
            <Button loading={begin.pending} onClick={() => void startCounting()}>
              {t(count.open ? 'stockPage.countGoesOn' : 'stockPage.count')}
            </Button>
          )
        }
      />
      {choice}
      {isOpen && count.open ? (
        <StockCount stationId={stationId} count={count} open={count.open} onEnd={setResult} />
      ) : result ? (
        <StockCountEnd result={result} onClose={() => setResult(null)} />
      ) : (
        <StockList stationId={stationId} />
      )}
    </>
  )
}

function StockList({ stationId }: { stationId: string }) {
  const t = useT()
  const format = useFormat()
  const list = useList(listStock, { fixed: { stationId }, defaultSort: '+lastEventAt' })
  const { counts, lastCount } = list.result.data ?? {}
  return (
    <>
      {lastCount && (
        <Note style={{ marginBlockEnd: 12 }}>
          {t('stockPage.lastCount', {
            time: format.dateTime(lastCount.at),
            name: lastCount.by,
            found: format.number(lastCount.found),
            expected: format.number(lastCount.expected),
          })}
        </Note>
      )}
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
    </>
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
