import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink, IconPrinter } from '@tabler/icons-react'
import { printInvoice } from '@waybill/contract/orders/orders'
import { generateNotes } from '@waybill/contract/parcels/labels'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useSend } from '../../components/feedback/use-send.ts'
import { Buttons } from '../../components/layout/boxes.tsx'
import { openDocument, saveDocument } from '../../lib/download.ts'
import { useT } from '../../lib/i18n.ts'
import { storeAwb } from '../../lib/session.ts'
import { usePrintNotes } from '../parcels/labels/shared/print-notes.tsx'
import { CustomsButtons } from './customs-buttons.tsx'

/** The maximum number of ids that fit into the URL of a document in a new tab. */
const inAddress = 200

/** Asks how to print the consignment notes of all parcels that have one, or opens them unchanged. */
export function NoteButtons({ parcels, main = false }: { parcels: readonly Parcel[]; main?: boolean }) {
  const t = useT()
  const notes = usePrintNotes(() => storeAwb([]))
  const ids = parcels.filter(({ allowedActions }) => allowedActions.includes('print_note')).map(({ id }) => id)
  const open = useSend(() => openDocument(generateNotes, { query: { ids: ids.join(',') } }))
  if (ids.length === 0) return null
  return (
    <Buttons>
      {notes.dialog}
      <Button
        {...(main ? { variant: 'filled' } : {})}
        leftSection={<IconPrinter size={18} aria-hidden />}
        onClick={() => notes.ask(ids)}
      >
        {t('checkout.printNotes', { count: ids.length })}
      </Button>
      {ids.length <= inAddress && (
        <Button
          leftSection={<IconExternalLink size={18} aria-hidden />}
          loading={open.pending}
          onClick={() => void open.send()}
        >
          {t('checkout.openNotes')}
        </Button>
      )}
      <CustomsButtons parcels={parcels} />
    </Buttons>
  )
}

/** Opens the invoice, or saves it. */
export function InvoiceButtons({ orderId }: { orderId: string }) {
  const t = useT()
  const params = { id: orderId }
  const open = useSend(() => openDocument(printInvoice, { params }))
  const save = useSend(() => saveDocument(printInvoice, { params }))
  return (
    <Buttons>
      <Button
        leftSection={<IconExternalLink size={18} aria-hidden />}
        loading={open.pending}
        onClick={() => void open.send()}
      >
        {t('checkout.openInvoice')}
      </Button>
      <Button
        leftSection={<IconDownload size={18} aria-hidden />}
        loading={save.pending}
        onClick={() => void save.send()}
      >
        {t('checkout.saveInvoice')}
      </Button>
    </Buttons>
  )
}
