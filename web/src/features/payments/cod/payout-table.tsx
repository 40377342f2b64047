import type { CodPayout } from '@waybill/contract/payments/cod'
import { Time } from '../../../components/display/time.tsx'
import { Mono, Quiet } from '../../../components/layout/text.tsx'
import { ListTable, TableFrame } from '../../../components/list/list-table.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { PayoutDocuments, type PrintPayout } from './payout-documents.tsx'

type Props = { rows: readonly CodPayout[]; print: PrintPayout; everySender: boolean }

/** Payouts, newest first, with their documents. */
export function PayoutTable({ rows, print, everySender }: Props) {
  const t = useT()
  const format = useFormat()
  return (
    <TableFrame>
      <ListTable
        label={t('cod.payouts')}
        rows={rows}
        dense
        rowKey={(row) => row.id}
        rowName={(row) => row.number}
        sort={undefined}
        sortBy={() => undefined}
        selection={undefined}
        columns={[
          {
            id: 'number',
            header: t('cod.payout'),
            card: 'title' as const,
            phone: 'title' as const,
            phoneCell: (row) => (everySender ? row.accountName : <Mono>{row.number}</Mono>),
            cell: (row) => (
              <>
                <Mono>{row.number}</Mono>
                {everySender && <Quiet>{row.accountName}</Quiet>}
              </>
            ),
          },
          {
            id: 'at',
            header: t('codDoc.day'),
            phone: 'detail' as const,
            phoneCell: (row) => <Time at={row.at} />,
            cell: (row) => (
              <>
                <Time at={row.at} />
                {everySender && <Quiet>{row.by ?? t('cod.weekly')}</Quiet>}
              </>
            ),
          },
          {
            id: 'parcels',
            header: t('codDoc.parcels'),
            align: 'end' as const,
            phone: 'detailEnd' as const,
            phoneCell: (row) => t('cashPage.parcels', { count: row.parcelCount }),
            cell: (row) => format.number(row.parcelCount),
          },
          {
            id: 'paid',
            header: t('codDoc.paid'),
            align: 'end' as const,
            phone: 'end' as const,
            phoneCell: (row) => format.money(row.paidMinor, row.currency),
            cell: (row) => (
              <>
                {format.money(row.paidMinor, row.currency)}
                {row.feeMinor > 0 && (
                  <Quiet>
                    {t('phrase.label', { label: t('codDoc.fee') })}
                    {format.money(row.feeMinor, row.currency)}
                  </Quiet>
                )}
              </>
            ),
          },
          {
            id: 'print',
            kind: 'actions' as const,
            header: t('list.actions'),
            align: 'end' as const,
            cell: (row) => <PayoutDocuments row={row} print={print} />,
          },
        ]}
      />
    </TableFrame>
  )
}
