import { countLimit } from '@waybill/contract/ground/paging'
import { type DrawerShift, listOwnShifts, printOwnShift } from '@waybill/contract/payments/cash-desk'
import { exportOwnShifts } from '@waybill/contract/payments/cash-sheets'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { DateField } from '../../../components/fields/date-field.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useShiftColumns } from './shift-columns.tsx'

const filters = ['from', 'to'] as const

/** Shifts of the station's drawers, each with its report. */
export function ShiftsPage() {
  const t = useT()
  const format = useFormat()
  const list = useList(listOwnShifts, { filters, defaultSort: '-day' })
  const columns = useShiftColumns(printOwnShift, false)
  const { error } = list.result
  const hasNoStation = error instanceof ApiError && error.code === 'no_station'
  return (
    <>
      <PageHeader
        title={t('cashPage.shifts')}
        actions={<ButtonLink to="/staff/cash">{t('cashPage.title')}</ButtonLink>}
      />
      {hasNoStation ? (
        <MessagePanel kind="empty" title={t('cashPage.noStation')} text={t('errors.no_station')} />
      ) : (
        <DataList
          list={list}
          label={t('cashPage.shifts')}
          countedTo={countLimit}
          sheet={exportOwnShifts}
          rowKey={(row: DrawerShift) => row.id}
          rowName={(row) => `${format.day(row.day)} ${row.number}/${row.shift}`}
          filters={
            <>
              <DateField field={list.filter('from')} />
              <DateField field={list.filter('to')} />
            </>
          }
          columns={columns}
          empty={{ title: t('cashPage.noShifts'), text: t('cashPage.noShiftsHint') }}
        />
      )}
    </>
  )
}
