import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import { serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { reportServiceLevels, ServiceLevels } from '@waybill/contract/reports/service-levels'
import { ListTable } from '../../../../components/list/list-table.tsx'
import { useFormat } from '../../../../lib/format.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useLabel } from '../../../../lib/labels.ts'

type Report = Pick<ResponseOf<typeof reportServiceLevels>, 'totals' | 'services'>
type Row = ServiceLevels & { key: string; name: string }

/** Promised and actual delivery times: a row for each service, and one for all of them. */
export function LevelsTable({ report: { totals, services } }: { report: Report }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : t('reports.percent', { percent: ((100 * part) / whole).toFixed(1) })
  const rows: Row[] = services.map((row) => ({
    ...row,
    key: row.serviceType,
    name: label(serviceTypeLabels, row.serviceType),
  }))
  if (services.length !== 1) rows.push({ ...totals, key: 'all', name: t('reports.allServices') })
  return (
    <ListTable<Row>
      dense
      label={t('reports.serviceLevels')}
      rows={rows}
      rowKey={(row) => row.key}
      rowName={(row) => row.name}
      sort={undefined}
      sortBy={() => undefined}
      selection={undefined}
      columns={[
        { id: 'name', header: t('fields.serviceType'), card: 'title', phone: 'title', cell: (row) => row.name },
        {
          id: 'delivered',
          header: t('reports.delivered'),
          align: 'end',
          phone: 'detail',
          phoneCell: (row) =>
            t('reports.deliveredLate', { delivered: format.number(row.delivered), late: format.number(row.late) }),
          cell: (row) => format.number(row.delivered),
        },
        { id: 'onTime', header: t('reports.onTime'), align: 'end', cell: (row) => format.number(row.onTime) },
        { id: 'late', header: t('reports.late'), align: 'end', cell: (row) => format.number(row.late) },
        {
          id: 'share',
          header: t('reports.kept'),
          align: 'end',
          phone: 'end',
          cell: (row) => share(row.onTime, row.onTime + row.late),
        },
        {
          id: 'first',
          header: t('reports.firstAttempt'),
          align: 'end',
          cell: (row) => share(row.firstAttempt, row.attempted),
        },
      ]}
    />
  )
}
