import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import {
  type CashReceipt,
  cashReceiptPaper,
  printCashInvoice,
  printCashReceipt,
} from '@waybill/contract/payments/cash-receipts'
import { useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons } from '../../../components/layout/boxes.tsx'
import { openDocument } from '../../../lib/download.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { ReceiptPaper } from './receipt-paper.tsx'

type Props = {
  saleId: string
  /** For a list of sales: the reprint button, labelled with the receipt's number. */
  again?: string
  /** Whether the receipt is the main action of the view. */
  main?: boolean
}

/**
 * The documents of a sale: the receipt on roll paper or as a file, and the invoice. Every print after the first is
 * marked as a copy.
 */
export function ReceiptButtons({ saleId, again, main = true }: Props) {
  const t = useT()
  const callOnce = useCallOnce()
  const [paper, setPaper] = useState<CashReceipt | null>(null)
  const params = { id: saleId }
  const fetchReceipt = () => callOnce(printCashReceipt, { params })
  const print = useSend(fetchReceipt, { onSuccess: setPaper })
  const file = useSend(() =>
    openDocument(
      cashReceiptPaper,
      fetchReceipt().then((receipt) => ({ params, query: { print: receipt.print } })),
    ),
  )
  const invoice = useSend(() => openDocument(printCashInvoice, { params }))
  const roll = paper && <ReceiptPaper receipt={paper} onPrinted={() => setPaper(null)} />
  if (again !== undefined) {
    return (
      <>
        <Button
          size="sm"
          variant="subtle"
          loading={print.pending}
          aria-label={t('cashPage.receiptAgain', { number: again })}
          onClick={() => void print.send()}
        >
          {t('receiptDoc.title')}
        </Button>
        {roll}
      </>
    )
  }
  return (
    <Buttons>
      <Button
        {...(main && { variant: 'filled' })}
        leftSection={<IconPrinter size={18} aria-hidden />}
        loading={print.pending}
        onClick={() => void print.send()}
      >
        {t('cashPage.receipt')}
      </Button>
      <Button loading={file.pending} onClick={() => void file.send()}>
        {t('cashPage.receiptPdf')}
      </Button>
      <Button loading={invoice.pending} onClick={() => void invoice.send()}>
        {t('cashPage.invoice')}
      </Button>
      {roll}
    </Buttons>
  )
}
