import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink, IconPrinter } from '@tabler/icons-react'
import { generateNotes } from '@waybill/contract/notes'
import { printInvoice } from '@waybill/contract/orders'
import type { Parcel } from '@waybill/contract/parcels'
import { useAction } from '../../components/action.ts'
import { openDocument, printDocument, saveDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { storeAwb } from '../../lib/session.ts'
import classes from './orders.module.css'

/** Ids travel in the address of the document: more would not fit into what servers take. */
const perDocument = 200

/** Prints, or opens, the consignment notes of all parcels that have one; very many in several documents. */
export function NoteButtons({ parcels, main = false }: { parcels: readonly Parcel[]; main?: boolean }) {
  const ids = parcels.filter(({ allowedActions }) => allowedActions.includes('print_note')).map(({ id }) => id)
  const parts = Array.from({ length: Math.ceil(ids.length / perDocument) }, (_, n) => n * perDocument)
  return parts.map((start) => (
    <NotesOf
      key={start}
      ids={ids.slice(start, start + perDocument)}
      first={start + 1}
      many={parts.length > 1}
      main={main}
    />
  ))
}

type NotesProps = { ids: readonly string[]; first: number; many: boolean; main: boolean }

function NotesOf({ ids, first, many, main }: NotesProps) {
  const t = useT()
  const format = useFormat()
  const query = { ids: ids.join(',') }
  const print = useAction(async () => {
    await printDocument(generateNotes, { query })
    storeAwb([])
  })
  const open = useAction(() => openDocument(generateNotes, { query }))
  const range = many ? ` ${format.number(first)}–${format.number(first + ids.length - 1)}` : ''
  return (
    <div className={classes.buttons}>
      <Button
        {...(main ? { variant: 'filled' } : {})}
        leftSection={<IconPrinter size={18} aria-hidden />}
        loading={print.running}
        onClick={() => void print.run()}
      >
        {t('checkout.printNotes', { count: ids.length })}
        {range}
      </Button>
      <Button
        leftSection={<IconExternalLink size={18} aria-hidden />}
        loading={open.running}
        onClick={() => void open.run()}
      >
        {t('checkout.openNotes')}
        {range}
      </Button>
    </div>
  )
}

/** Opens the invoice, or saves it. */
export function InvoiceButtons({ orderId }: { orderId: string }) {
  const t = useT()
  const params = { id: orderId }
  const open = useAction(() => openDocument(printInvoice, { params }))
  const save = useAction(() => saveDocument(printInvoice, { params }))
  return (
    <div className={classes.buttons}>
      <Button
        leftSection={<IconExternalLink size={18} aria-hidden />}
        loading={open.running}
        onClick={() => void open.run()}
      >
        {t('checkout.openInvoice')}
      </Button>
      <Button
        leftSection={<IconDownload size={18} aria-hidden />}
        loading={save.running}
        onClick={() => void save.run()}
      >
        {t('checkout.saveInvoice')}
      </Button>
    </div>
  )
}
