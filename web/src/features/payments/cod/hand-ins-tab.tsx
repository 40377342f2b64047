import { countLimit } from '@waybill/contract/ground/paging'
import { type CashHandIn, listHandIns, printHandIn } from '@waybill/contract/payments/cash-hand-ins'
import { exportHandIns } from '@waybill/contract/payments/cash-sheets'
import { Time } from '../../../components/display/time.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { CashFilters } from '../cash-desk/cash-filters.tsx'
import { Difference } from './count-fields.tsx'
import { HandInReceipt } from './hand-in-receipt.tsx'

const filters = ['stationId', 'difference'] as const

/** The hand-ins of riders at all stations: who counted, the difference and its reason. */
export function HandInsTab() {
  const t = useT()
  const format = useFormat()
  const list = useList(listHandIns, { filters })
  return (
    <DataList
      list={list}
      label={t('financePage.handIns')}
      countedTo={countLimit}
      sheet={exportHandIns}
      rowKey={(row: CashHandIn) => row.id}
      rowName={(row) => row.number}
      filters={<CashFilters list={list} />}
      columns={[
        {
          id: 'rider',
          header: t('handInDoc.rider'),
          card: 'title',
          phone: 'title',
          phoneCell: (row) => row.rider,
          cell: (row) => (
            <>
              {row.rider}
              <Quiet>{row.station.code}</Quiet>
            </>
          ),
        },
        {
          id: 'by',
          header: t('handInDoc.countedBy'),
          phone: 'detail',
          phoneCell: (row) => <Time at={row.at} />,
          cell: (row) => (
            <>
              {row.countedBy}
              <Quiet>
                <Time at={row.at} />
              </Quiet>
            </>
          ),
        },
        {
          id: 'expected',
          header: t('cashDoc.expected'),
          align: 'end',
          show: 'wide',
          cell: (row) => format.money(row.expectedMinor, row.currency),
        },
        {
          id: 'counted',
          header: t('cashDoc.counted'),
          align: 'end',
          phone: 'end',
          cell: (row) => format.money(row.countedMinor, row.currency),
        },
        {
          id: 'difference',
          header: t('cashDoc.difference'),
          align: 'end',
          phone: 'detailEnd',
          phoneCell: (row) =>
            row.differenceMinor !== 0 && (
              <Difference differs>{format.money(row.differenceMinor, row.currency)}</Difference>
            ),
          cell: (row) => (
            <Difference differs={row.differenceMinor !== 0}>
              {format.money(row.differenceMinor, row.currency)}
            </Difference>
          ),
        },
        { id: 'reason', header: t('cashPage.reason'), wraps: true, minWidth: 160, cell: (row) => row.reason ?? '–' },
        {
          id: 'receipt',
          kind: 'actions',
          header: t('receiptDoc.title'),
          align: 'end',
          cell: (row) => <HandInReceipt id={row.id} name={row.rider} print={printHandIn} />,
        },
      ]}
      empty={{ title: t('cashPage.noHandIns'), text: t('cashPage.noHandInsHint') }}
    />
  )
}
