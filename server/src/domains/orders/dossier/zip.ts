// A dossier as a ZIP: a folder for each parcel, and the invoices.
import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { intlLocale } from '@waybill/contract/ground/constants'
import yazl from 'yazl'
import type { Deps } from '../../../deps.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { drawSignature } from '../../attachments/content.ts'
import { photosForPrint } from '../../attachments/service.ts'
import type { ParcelHistory } from '../../parcels/timeline/history.ts'
import { printInvoice } from '../invoices/print-invoice.ts'
import type { Language } from '../present.ts'
import { findPrintableInvoice } from '../service.ts'
import { type DossierContents, historyPages } from './pdf.ts'

/**
 * Builds the ZIP. Each file is added when the previous one has been written: otherwise the library would keep all of
 * them open. An error of a source destroys the stream.
 */
export function dossierZip(deps: Deps, contents: DossierContents, language: Language): Readable {
  const zip = new yazl.ZipFile()
  const output = new PassThrough()
  zip.outputStream.pipe(output)
  // The library reports errors of its sources here.
  zip.on('error', (error: Error) => output.destroy(error))
  fill(deps, zip, contents, language).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  )
  return output
}

async function fill(
  deps: Deps,
  zip: yazl.ZipFile,
  { scope, parcels }: DossierContents,
  language: Language,
): Promise<void> {
  const mtime = deps.clock.now()
  const add = async (name: string, content: Readable) => {
    // The promise is created before the stream starts, or an early error would be lost.
    const end = finished(content, { writable: false })
    zip.addReadStream(content, name, { mtime, compress: false, mode: 0o100644 })
    await end
  }
  const invoicedOrders = new Set<string>()
  for await (const parcel of parcels) {
    const folder = parcel.trackingNumber
    await add(`${folder}/timeline.pdf`, await historyPdf(deps, parcel, language))
    const { signaturePath = null, photoIds = [] } = parcel.proof ?? {}
    if (signaturePath !== null) await add(`${folder}/signature.png`, bytes(await drawSignature(signaturePath)))
    for (const [n, photo] of (await photosForPrint(deps, photoIds)).entries())
      await add(`${folder}/photo-${n + 1}.jpg`, bytes(photo))
    const attempts = parcel.events.filter(({ event }) => event === 'attempt_failed').reverse()
    for (const [n, attempt] of attempts.entries())
      for (const [m, photo] of (await photosForPrint(deps, attempt.photoIds)).entries())
        await add(`${folder}/failed-attempt-${n + 1}-photo-${m + 1}.jpg`, bytes(photo))
    const { orderId } = parcel
    if (orderId === null || invoicedOrders.has(orderId)) continue
    invoicedOrders.add(orderId)
    const invoice = await findPrintableInvoice(deps, scope, orderId, language)
    if (invoice) await add(`invoices/${invoice.number}.pdf`, await printInvoice(deps, invoice, language))
  }
}

const bytes = (content: Buffer) => Readable.from([content], { objectMode: false })

async function historyPdf(deps: Deps, parcel: ParcelHistory, language: Language): Promise<Readable> {
  const info = {
    title: parcel.trackingNumber,
    author: deps.settings.get('company.name'),
    language: intlLocale(language.locale),
    createdAt: deps.clock.now(),
  }
  return pdfStream(info, await historyPages(deps, parcel, language))
}
