import { Button } from '@mantine/core'
import { type CashMovement, listCashMovements } from '@waybill/contract/payments/cash-desk'
import { printOwnHandIn } from '@waybill/contract/payments/cash-hand-ins'
import { exportCashMovements } from '@waybill/contract/payments/cash-sheets'
import { useState } from 'react'
import { Time } from '../../../components/display/time.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { Buttons, Row, Stack } from '../../../components/layout/boxes.tsx'
import { Quiet } from '../../../components/layout/text.tsx'
import type { Column } from '../../../components/list/column.ts'
import { DownloadExcel } from '../../../components/list/download-excel.tsx'
import { ListTable, TableFrame } from '../../../components/list/list-table.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { HandInReceipt } from '../cod/hand-in-receipt.tsx'
import { ReceiptButtons } from './receipt-buttons.tsx'

const step = 20
const most = 200

/** The movements of the drawer's cash, newest first. */
export function MovementList({ drawerId, currency }: { drawerId: string; currency: string }) {
  const t = useT()
  const format = useFormat()
  const [limit, setLimit] = useState(step)
  const moves = useCall(
    listCashMovements,
    { params: { id: drawerId }, query: { limit } },
    { staleTime: 0, keepPrevious: true },
  )
  if (moves.error) return <ErrorPanel error={moves.error} retry={() => void moves.refetch()} />
  const rows = moves.data?.items ?? []
  const isBlind = rows.some(({ balanceAfterMinor }) => balanceAfterMinor === null)
  if (rows.length === 0) return null
  const balanceColumn: Column<CashMovement> = {
    id: 'balance',
    header: t('cashDoc.balance'),
    align: 'end',
    cell: (row) => format.money(row.balanceAfterMinor ?? 0, currency),
  }
  return (
    <Stack gap={12} style={{ marginBlockStart: 24 }}>
      <Row justify="between">
        <h2>{t('cashPage.movements')}</h2>
        <DownloadExcel endpoint={exportCashMovements} narrowing={{}} params={{ id: drawerId }} />
      </Row>
      <TableFrame>
        <ListTable
          dense
          label={t('cashPage.movements')}
          rows={rows}
          rowKey={(row: CashMovement) => row.id}
          rowName={(row) => t(`cashMovement.${row.kind}`)}
          sort={undefined}
          sortBy={() => undefined}
          selection={undefined}
          columns={[
            {
              id: 'what',
              wraps: true,
              header: t('cashDoc.what'),
              card: 'title',
              phone: 'title',
              phoneCell: (row) => t(`cashMovement.${row.kind}`),
              cell: (row) => (
                <>
                  {t(`cashMovement.${row.kind}`)}
                  <Quiet>{[row.reference, row.reason].filter(Boolean).join(' · ')}</Quiet>
                </>
              ),
            },
            {
              id: 'at',
              header: t('cashDoc.at'),
              phone: 'detail',
              phoneCell: (row) => (
                <>
                  <Time at={row.at} />
                  {(row.reference ?? row.reason) && (
                    <Quiet>{[row.reference, row.reason].filter(Boolean).join(' · ')}</Quiet>
                  )}
                </>
              ),
              cell: (row) => <Time at={row.at} />,
            },
            { id: 'by', header: t('cashDoc.by'), cell: (row) => row.by },
            {
              id: 'amount',
              header: t('cashDoc.amount'),
              align: 'end',
              phone: 'end',
              cell: (row) => format.money(row.amountMinor, currency),
            },
            ...(isBlind ? [] : [balanceColumn]),
            {
              id: 'receipt',
              kind: 'actions',
              header: t('list.actions'),
              align: 'end',
              cell: (row) =>
                row.receiptNumber &&
                (row.kind === 'hand_in' ? (
                  <HandInReceipt id={row.id} name={row.reference ?? ''} print={printOwnHandIn} />
                ) : (
                  <ReceiptButtons saleId={row.id} again={row.receiptNumber} />
                )),
            },
          ]}
        />
      </TableFrame>
      {(moves.data?.total ?? 0) > limit && limit < most && (
        <Buttons>
          <Button size="sm" variant="subtle" onClick={() => setLimit(most)}>
            {t('cashPage.showAll')}
          </Button>
        </Buttons>
      )}
    </Stack>
  )
}
