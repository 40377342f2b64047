// A dossier as one PDF.
import type { Readable } from 'node:stream'
import { intlLocale } from '@waybill/contract/ground/constants'
import type { Deps } from '../../../deps.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { type PdfPage, pdfStream } from '../../../lib/print/pdf.ts'
import { drawSignature } from '../../attachments/content.ts'
import { photosForPrint } from '../../attachments/service.ts'
import type { ParcelHistory } from '../../parcels/timeline/history.ts'
import type { HistoryScope } from '../../parcels/timeline/queries-history.ts'
import { drawInvoice } from '../invoices/print-invoice.ts'
import type { Language } from '../present.ts'
import { findPrintableInvoice } from '../service.ts'
import { layoutHistory } from './layout.ts'

export type DossierContents = {
  scope: HistoryScope
  name: string
  parcels: AsyncIterable<ParcelHistory>
}

/**
 * The pages of each parcel, followed by the invoice of its order, each invoice once. Pages are drawn while the PDF is
 * read.
 */
export function dossierPdf(deps: Deps, { scope, name, parcels }: DossierContents, language: Language): Readable {
  const info = {
    title: name,
    author: deps.settings.get('company.name'),
    language: intlLocale(language.locale),
    createdAt: deps.clock.now(),
  }
  return pdfStream(info, writePages(deps, scope, parcels, language))
}

async function* writePages(
  deps: Deps,
  scope: HistoryScope,
  parcels: AsyncIterable<ParcelHistory>,
  language: Language,
): AsyncGenerator<PdfPage> {
  const invoicedOrders = new Set<string>()
  for await (const parcel of parcels) {
    yield* await historyPages(deps, parcel, language)
    const { orderId } = parcel
    if (orderId === null || invoicedOrders.has(orderId)) continue
    invoicedOrders.add(orderId)
    const invoice = await findPrintableInvoice(deps, scope, orderId, language)
    if (invoice) yield* await drawInvoice(deps, invoice, language)
  }
}

/** The pages of one parcel: parties, timeline, proof. */
export async function historyPages(deps: Deps, parcel: ParcelHistory, language: Language): Promise<PdfPage[]> {
  const { settings } = deps
  const { signaturePath = null, photoIds = [] } = parcel.proof ?? {}
  const attemptPhotos: Buffer[][] = []
  for (const event of parcel.events) attemptPhotos.push(await photosForPrint(deps, event.photoIds))
  const pictures = {
    signature: signaturePath === null ? null : await drawSignature(signaturePath),
    photos: await photosForPrint(deps, photoIds),
    attemptPhotos,
  }
  return layoutHistory(await loadFonts(), parcel, pictures, {
    ...language,
    issuer: settings.get('company.name'),
    colour: settings.get('ui.primaryColour'),
    timeZone: settings.get('timezone'),
    dateTimeFormat: settings.get('format.dateTime'),
  })
}
