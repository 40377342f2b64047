import { Button } from '@mantine/core'
import type { CodPayout, printCodPayout } from '@waybill/contract/payments/cod'
import type { printAnyCodPayout } from '@waybill/contract/payments/cod-payouts'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { openDocument, saveDocument } from '../../../lib/download.ts'

export type PrintPayout = typeof printCodPayout | typeof printAnyCodPayout

/** A payout's document and its spreadsheet. */
export function PayoutDocuments({ row, print }: { row: CodPayout; print: PrintPayout }) {
  const endpoint = print as typeof printCodPayout
  const params = { id: row.id }
  const open = useSend(() => openDocument(endpoint, { params }))
  const save = useSend(() => saveDocument(endpoint, { params, query: { format: 'xlsx' } }))
  return (
    <Buttons as="span" align="end">
      <Button
        size="compact-sm"
        aria-label={`PDF ${row.number}`}
        loading={open.pending}
        onClick={() => void open.send()}
      >
        PDF
      </Button>
      <Button
        size="compact-sm"
        aria-label={`Excel ${row.number}`}
        loading={save.pending}
        onClick={() => void save.send()}
      >
        Excel
      </Button>
    </Buttons>
  )
}
