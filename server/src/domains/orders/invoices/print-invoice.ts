/** Prints invoices and credit notes. */
import type { Readable } from 'node:stream'
import { intlLocale } from '@waybill/contract/ground/constants'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import type { InvoiceDocument, InvoiceOptions } from './document.ts'
import { a4, layoutInvoice } from './layout.ts'

/** The document as a PDF in A4. */
export function renderInvoice(invoice: InvoiceDocument, options: InvoiceOptions): Readable {
  const title = `${options.t(`invoiceDoc.${invoice.kind}`)} ${invoice.number}`
  const info = { title, author: invoice.seller.name, language: intlLocale(options.locale), createdAt: options.now }
  return pdfStream(info, invoicePages(invoice, options))
}

async function* invoicePages(invoice: InvoiceDocument, options: InvoiceOptions) {
  const fonts = await loadFonts()
  for (const marks of layoutInvoice(fonts, invoice, options)) yield { widthMm: a4.width, heightMm: a4.height, marks }
}
