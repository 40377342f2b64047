import { countLimit } from '@waybill/contract/ground/paging'
import { type DrawerShift, listShifts, printShift } from '@waybill/contract/payments/cash-desk'
import { exportShifts } from '@waybill/contract/payments/cash-sheets'
import { DateField } from '../../../components/fields/date-field.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useT } from '../../../lib/i18n.ts'
import { CashFilters } from './cash-filters.tsx'
import { useShiftColumns } from './shift-columns.tsx'

const filters = ['stationId', 'difference', 'from', 'to'] as const

/** The cash drawers of all stations, by day. */
export function ShiftsTab() {
  const t = useT()
  const list = useList(listShifts, { filters, defaultSort: '-day' })
  const columns = useShiftColumns(printShift, true)
  return (
    <DataList
      list={list}
      label={t('cashPage.shifts')}
      countedTo={countLimit}
      sheet={exportShifts}
      rowKey={(row: DrawerShift) => row.id}
      rowName={(row) => `${row.station.code} ${row.day} ${row.number}/${row.shift}`}
      filters={
        <>
          <CashFilters list={list} />
          <DateField field={list.filter('from')} />
          <DateField field={list.filter('to')} />
        </>
      }
      columns={columns}
      empty={{ title: t('cashPage.noShifts'), text: t('cashPage.noShiftsHint') }}
    />
  )
}
