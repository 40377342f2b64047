/** Prints the slip for the counter. */
import type { Readable } from 'node:stream'
import { intlLocale } from '@waybill/contract/ground/constants'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { a6, layoutSlip, type SlipDocument, type SlipOptions } from './layout.ts'

/** The slip as A6 pages. */
export function renderSlip(slip: SlipDocument, options: SlipOptions): Readable {
  const title = `${options.t('slip.title')} ${slip.number}`
  const info = { title, author: slip.companyName, language: intlLocale(options.locale), createdAt: options.now }
  return pdfStream(info, slipPages(slip, options))
}

async function* slipPages(slip: SlipDocument, options: SlipOptions) {
  const fonts = await loadFonts()
  for (const marks of layoutSlip(fonts, slip, options)) yield { widthMm: a6.width, heightMm: a6.height, marks }
}
