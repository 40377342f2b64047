import { type CashDrawer, listCloses, printClose } from '@waybill/contract/payments/cash-desk'
import { listStations } from '@waybill/contract/stations/stations'
import { DateField } from '../../../components/fields/date-field.tsx'
import { SelectField } from '../../../components/fields/select-field.tsx'
import { DataList } from '../../../components/list/data-list.tsx'
import { useList } from '../../../components/list/list-state.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useDrawerColumns } from './drawer-columns.tsx'

const filters = ['stationId', 'difference', 'from', 'to'] as const

/** The cash drawers of all stations, by day. */
export function ClosesTab() {
  const t = useT()
  const list = useList(listCloses, { filters, defaultSort: '-day' })
  const columns = useDrawerColumns(printClose, true)
  const stations = useCall(listStations, { query: { limit: 200, sort: '+code' } }, { staleTime: 600_000 })
  return (
    <DataList
      list={list}
      label={t('financePage.closes')}
      rowKey={(row: CashDrawer) => row.id}
      filters={
        <>
          <SelectField
            field={list.filter('stationId')}
            choices={(stations.data?.items ?? []).map(({ id, code, name }) => ({
              value: id,
              label: `${code} · ${name}`,
            }))}
          />
          <SelectField
            field={list.filter('difference', t('cashDoc.difference'))}
            choices={(['any', 'none'] as const).map((value) => ({ value, label: t(`cashPage.differs.${value}`) }))}
          />
          <DateField field={list.filter('from')} />
          <DateField field={list.filter('to')} />
        </>
      }
      columns={columns}
      empty={{ title: t('cashPage.noCloses'), text: t('cashPage.noClosesHint') }}
    />
  )
}
