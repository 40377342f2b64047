import { taskStatusLabels } from '@waybill/contract/enums'
import { listPickupRequests, type PickupRequest } from '@waybill/contract/pickups'
import { taskStatusLooks } from '@waybill/contract/status-look'
import { SelectField } from '../../components/form/select-field.tsx'
import { TextLink } from '../../components/link.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { useList } from '../../components/list/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { StatusPill } from '../../components/status-pill.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices, useLabel } from '../../lib/labels.ts'

const filters = ['status'] as const

/** When riders come, where, and for how many parcels. */
export function PickupsPage() {
  const t = useT()
  const label = useLabel()
  const choices = useChoices()
  const format = useFormat()
  const list = useList(listPickupRequests, { filters, defaultSort: '-date' })
  return (
    <>
      <PageHeader title={t('pickupsPage.title')} />
      <DataList
        list={list}
        label={t('pickupsPage.title')}
        rowKey={(row: PickupRequest) => row.id}
        filters={<SelectField field={list.filter('status')} choices={choices(taskStatusLabels)} />}
        columns={[
          {
            id: 'number',
            header: t('pickupsPage.number'),
            card: 'title',
            cell: (row) => (
              <TextLink to="/orders/$id" params={{ id: row.orderId }}>
                {row.number}
              </TextLink>
            ),
          },
          {
            id: 'when',
            header: t('pickupsPage.when'),
            sort: 'date',
            cell: (row) => `${format.weekday(row.date)}, ${format.day(row.date)}, ${row.window}`,
          },
          {
            id: 'where',
            header: t('pickupsPage.where'),
            cell: (row) => `${row.address.line1}, ${row.address.postcode} ${row.address.city}`,
          },
          {
            id: 'parcels',
            header: t('pickupsPage.parcels'),
            align: 'end',
            cell: (row) => format.number(row.parcelCount),
          },
          {
            id: 'status',
            header: t('pickupsPage.status'),
            cell: (row) => (
              <StatusPill look={taskStatusLooks[row.status]} label={label(taskStatusLabels, row.status)} />
            ),
          },
        ]}
        empty={{ title: t('pickupsPage.empty'), text: t('pickupsPage.emptyHint') }}
      />
    </>
  )
}
