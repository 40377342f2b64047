import { Button } from '@mantine/core'
import type { CodPayout, printAnyCodPayout, printCodPayout } from '@waybill/contract/payments/cod'
import { useAction } from '../../../components/action.ts'
import { openDocument, saveDocument } from '../../../lib/download.ts'
import classes from './cod.module.css'

export type PrintPayout = typeof printCodPayout | typeof printAnyCodPayout

/** A payout's document and its spreadsheet. */
export function PayoutDocuments({ row, print }: { row: CodPayout; print: PrintPayout }) {
  const endpoint = print as typeof printCodPayout
  const params = { id: row.id }
  const open = useAction(() => openDocument(endpoint, { params }))
  const save = useAction(() => saveDocument(endpoint, { params, query: { format: 'xlsx' } }))
  return (
    <span className={classes.buttons}>
      <Button size="sm" aria-label={`PDF ${row.number}`} loading={open.running} onClick={() => void open.run()}>
        PDF
      </Button>
      <Button size="sm" aria-label={`Excel ${row.number}`} loading={save.running} onClick={() => void save.run()}>
        Excel
      </Button>
    </span>
  )
}
