/** Prints invoices and credit notes. */
import type { Readable } from 'node:stream'
import { intlLocale } from '@waybill/contract/ground/constants'
import type { Invoice } from '@waybill/contract/orders/orders'
import type { Deps } from '../../../deps.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { type PdfPage, pdfStream } from '../../../lib/print/pdf.ts'
import { findLogo } from '../../attachments/company-logo.ts'
import type { Language } from '../present.ts'
import type { InvoiceDocument, InvoiceLine, InvoiceOptions, InvoiceParty } from './document.ts'
import { a4, layoutInvoice } from './layout.ts'

/** The common fields of invoices and credit notes, plus the fields that only one of them has. */
export type Printable = Pick<InvoiceDocument, 'kind' | 'correctsNumber' | 'status' | 'payment'> &
  Omit<Invoice, 'seller' | 'buyer' | 'paymentMethod' | 'paidAt'> & {
    seller: PartyText
    buyer: PartyText
  }
type PartyText = Omit<InvoiceParty, 'address'> & { address: string | null }

/** An invoice or credit note as a PDF, in the language and with the formats of the deployment. */
export async function printInvoice(deps: Deps, invoice: Printable, language: Language): Promise<Readable> {
  const { document, options } = await prepare(deps, invoice, language)
  return renderInvoice(document, options)
}

/** Draws the pages of an invoice into a larger document. */
export async function drawInvoice(deps: Deps, invoice: Printable, language: Language): Promise<PdfPage[]> {
  const { document, options } = await prepare(deps, invoice, language)
  const pages = layoutInvoice(await loadFonts(), document, options)
  return pages.map((marks) => ({ widthMm: a4.width, heightMm: a4.height, marks }))
}

async function prepare(
  deps: Deps,
  invoice: Printable,
  language: Language,
): Promise<{ document: InvoiceDocument; options: InvoiceOptions }> {
  const { settings, clock } = deps
  const { kind, number, seller } = invoice
  const document: InvoiceDocument = {
    kind,
    number,
    issuedAt: invoice.issuedAt,
    dueAt: null,
    orderNumber: invoice.orderNumber,
    correctsNumber: invoice.correctsNumber ?? null,
    seller: splitAddress(seller),
    buyer: splitAddress(invoice.buyer),
    currency: invoice.currency,
    lines: invoice.lines.map(printedLine),
    subtotalMinor: invoice.netMinor,
    taxes: [{ label: language.t('price.line.tax'), amountMinor: invoice.taxMinor }],
    totalMinor: invoice.totalMinor,
    status: invoice.status,
    payment: invoice.payment,
  }
  const options: InvoiceOptions = {
    ...language,
    settings: {
      timeZone: settings.get('timezone'),
      dateFormat: settings.get('format.date'),
      dateTimeFormat: settings.get('format.dateTime'),
      weightUnit: settings.get('units.weight'),
    },
    primaryColour: settings.get('ui.primaryColour'),
    logo: await findLogo(deps),
    now: clock.now(),
  }
  return { document, options }
}

const splitAddress = (party: PartyText): InvoiceParty => ({
  ...party,
  address: (party.address ?? '').split('\n').filter((line) => line.trim() !== ''),
})

/**
 * A line whose unit price times quantity equals its amount. If parcels differ in price, the quantity is one and the
 * text names the number of parcels.
 */
function printedLine({ description, quantity, amountMinor }: Invoice['lines'][number]): InvoiceLine {
  if (amountMinor % quantity === 0) return { description, quantity, unitMinor: amountMinor / quantity, amountMinor }
  return { description, detail: `× ${quantity}`, quantity: 1, unitMinor: amountMinor, amountMinor }
}

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
