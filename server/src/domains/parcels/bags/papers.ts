// The label of a bag.
import { Readable } from 'node:stream'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatWeight } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Deps } from '../../../deps.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { zplLabel } from '../../../lib/print/zpl.ts'
import { findStationsById } from '../../stations/service.ts'
import { layoutGunnyLabel } from '../gunny/layout.ts'
import { noteSheet } from '../labels/draw-notes.ts'
import { readBag } from './service.ts'

type Language = { locale: Locale; t: Translate }

/** The label of a bag, like that of a gunny: PDF on A6 or 4 x 6 inch, or ZPL. Throws bag_unknown. */
export async function printBagLabel(
  deps: Deps,
  id: string,
  format: 'a6' | '4x6' | 'zpl',
  { locale, t }: Language,
): Promise<{ file: Readable; name: string }> {
  const { settings } = deps
  const bag = await readBag(deps.db, 'id', id)
  const from = (await findStationsById(deps.db, [bag.station.id])).get(bag.station.id)
  const text = {
    captions: {
      title: t('bagDoc.title'),
      number: t('bagDoc.number'),
      to: t('bagDoc.to'),
      from: t('bagDoc.from'),
    },
    number: bag.number,
    sscc: bag.sscc,
    companyName: settings.get('company.name'),
    sender: `${bag.station.code}  ${bag.station.name}`,
    senderPlace: from ? `${from.postcode} ${from.city}` : '',
    station: `${bag.toStation.code}  ${bag.toStation.name}`,
    seal: bag.sealNumber ?? '',
    parcels: String(bag.parcelCount),
    weight: formatWeight(bag.weightGrams, settings.get('units.weight'), locale),
    packedOn: formatDate(bag.createdAt, settings.get('timezone'), settings.get('format.dateTime'), locale),
  }
  const { widthMm, heightMm } = noteSheet(format)
  const fonts = await loadFonts()
  const marks = layoutGunnyLabel(fonts, text, t, { x: 0, y: 0, width: widthMm, height: heightMm })
  const name = `${bag.number}.${format === 'zpl' ? 'zpl' : 'pdf'}`
  if (format === 'zpl') {
    return { file: Readable.from([await zplLabel(fonts, { widthMm, heightMm, marks })], { objectMode: false }), name }
  }
  const info = { title: bag.number, language: intlLocale(locale), createdAt: deps.clock.now() }
  return { file: pdfStream(info, [{ widthMm, heightMm, marks }]), name }
}
