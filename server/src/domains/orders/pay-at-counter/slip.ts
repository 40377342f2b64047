import type { Readable } from 'node:stream'
import { intlLocale, type Locale } from '@waybill/contract/ground/enums'
import type { PrintSettings } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { a6, layoutSlip } from './layout.ts'

/** What a slip for the counter says. Money in minor units of `currency`, times ISO 8601. */
export interface SlipDocument {
  number: string
  companyName: string
  amountMinor: number
  currency: string
  bookedAt: string
  parcels: { trackingNumber: string; receiver: string; amountMinor: number }[]
}

export interface SlipOptions {
  locale: Locale
  /** Answers the words of the locale files' `slip` object. */
  t: Translate
  settings: PrintSettings
  /** `#rrggbb` */
  primaryColour: string
  now: Date
}

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
