import type { OrderSums } from '@waybill/contract/reports/orders'
import { ListTable } from '../../../components/list/list-table.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'

type Row = OrderSums & { key: string; name: string }
type Props = {
  /** The accessible name of the table. */
  label: string
  /** The header of the first column: the meaning of a row. */
  first: string
  rows: readonly Row[]
  currency: string
}

/** Sums of orders in rows: by day, month, user or cost centre. */
export function SumsTable({ label, first, rows, currency }: Props) {
  const t = useT()
  const format = useFormat()
  const money = (minor: number) => format.money(minor, currency)
  return (
    <ListTable<Row>
      label={label}
      rows={rows}
      rowKey={(row) => row.key}
      rowName={undefined}
      sort={undefined}
      sortBy={() => undefined}
      selection={undefined}
      columns={[
        { id: 'name', header: first, card: 'title', cell: (row) => row.name },
        { id: 'orders', header: t('reports.orders'), align: 'end', cell: (row) => format.number(row.orders) },
        { id: 'parcels', header: t('reports.parcels'), align: 'end', cell: (row) => format.number(row.parcels) },
        { id: 'total', header: t('cart.total'), align: 'end', cell: (row) => money(row.totalMinor) },
        { id: 'refunded', header: t('ordersPage.refunded'), align: 'end', cell: (row) => money(row.refundedMinor) },
        { id: 'spent', header: t('reports.spent'), align: 'end', cell: (row) => money(row.spentMinor) },
      ]}
    />
  )
}
