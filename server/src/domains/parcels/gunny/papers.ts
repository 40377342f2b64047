// What is printed of a gunny: its label and its manifest.
import { Readable } from 'node:stream'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatWeight } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { zplLabel } from '../../../lib/print/zpl.ts'
import { findAccountById } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { noteSheet } from '../labels/draw-notes.ts'
import type { ParcelRow } from '../queries.ts'
import { type GunnyText, layoutGunnyLabel, layoutManifest } from './layout.ts'
import { type CountedGunny, findGunnyByCode, listParcelsInGunny } from './queries.ts'
import { getCountedGunny } from './service.ts'

type Language = { locale: Locale; t: Translate }

/** A gunny of the caller, or of any account for staff. Throws not_found. */
async function printableGunny(deps: Deps, caller: UserCaller, id: string): Promise<CountedGunny> {
  if (caller.kind === 'customer') return getCountedGunny(deps.db, caller, id)
  const row = await findGunnyByCode(deps.db, 'id', id)
  if (!row) throw new AppError('not_found')
  return row
}

/** The texts of both documents, in the reader's language and the units of the settings. */
async function buildText(
  deps: Deps,
  row: CountedGunny,
  parcels: readonly ParcelRow[],
  { locale, t }: Language,
): Promise<GunnyText> {
  const { settings } = deps
  const [stations, account] = await Promise.all([
    findStationsById(
      deps.db,
      [row.drop_off_station_id].filter((id) => id !== null),
    ),
    findAccountById(deps.db, asAccountId(row.account_id)),
  ])
  const station = stations.get(row.drop_off_station_id ?? '')
  const sender = parcels[0]?.sender
  return {
    captions: {
      title: t('gunnyDoc.title'),
      number: t('gunnyDoc.number'),
      to: t('gunnyDoc.to'),
      from: t('gunnyDoc.from'),
    },
    number: row.number,
    sscc: row.sscc,
    companyName: settings.get('company.name'),
    sender: account?.name ?? '',
    senderPlace: sender ? `${sender.line1}, ${sender.postcode} ${sender.city}` : '',
    station: station ? `${station.code}  ${station.name}` : t('gunnyDoc.anyCounter'),
    seal: row.seal_number ?? '',
    parcels: String(row.parcel_count),
    weight: formatWeight(row.weight_grams, settings.get('units.weight'), locale),
    packedOn: formatDate(
      row.created_at.toISOString(),
      settings.get('timezone'),
      settings.get('format.dateTime'),
      locale,
    ),
  }
}

/** The label of a gunny: PDF on A6 or 4 x 6 inch, or ZPL. Throws not_found. */
export async function printGunnyLabel(
  deps: Deps,
  caller: UserCaller,
  id: string,
  format: 'a6' | '4x6' | 'zpl',
  language: Language,
): Promise<{ file: Readable; name: string }> {
  const row = await printableGunny(deps, caller, id)
  const text = await buildText(deps, row, await listParcelsInGunny(deps.db, row), language)
  return printContainerLabel(deps, text, format, language)
}

/** The label of a gunny or a bag with these texts: PDF on A6 or 4 x 6 inch, or ZPL. */
export async function printContainerLabel(
  deps: Deps,
  text: GunnyText,
  format: 'a6' | '4x6' | 'zpl',
  { locale, t }: Language,
): Promise<{ file: Readable; name: string }> {
  const { widthMm, heightMm } = noteSheet(format)
  const fonts = await loadFonts()
  const marks = layoutGunnyLabel(fonts, text, t, { x: 0, y: 0, width: widthMm, height: heightMm })
  const name = `${text.number}.${format === 'zpl' ? 'zpl' : 'pdf'}`
  if (format === 'zpl') {
    return { file: Readable.from([await zplLabel(fonts, { widthMm, heightMm, marks })], { objectMode: false }), name }
  }
  const info = { title: text.number, language: intlLocale(locale), createdAt: deps.clock.now() }
  return { file: pdfStream(info, [{ widthMm, heightMm, marks }]), name }
}

/** The manifest of a gunny, the list of its parcels, as PDF. Throws not_found. */
export async function printGunnyManifest(
  deps: Deps,
  caller: UserCaller,
  id: string,
  language: Language,
): Promise<{ file: Readable; name: string }> {
  const row = await printableGunny(deps, caller, id)
  const parcels = await listParcelsInGunny(deps.db, row)
  const unit = deps.settings.get('units.weight')
  const pages = layoutManifest(
    await loadFonts(),
    await buildText(deps, row, parcels, language),
    parcels.map((parcel) => ({
      number: parcel.tracking_number ?? '',
      reference: parcel.reference ?? '',
      receiver: parcel.receiver?.contactName ?? '',
      place: parcel.receiver ? `${parcel.receiver.postcode} ${parcel.receiver.city}` : '',
      weight: formatWeight(parcel.actual_grams ?? parcel.weight_grams ?? 0, unit, language.locale),
    })),
    language.t,
  )
  const info = { title: row.number, language: intlLocale(language.locale), createdAt: deps.clock.now() }
  const file = pdfStream(
    info,
    pages.map((marks) => ({ widthMm: 210, heightMm: 297, marks })),
  )
  return { file, name: `${row.number}-manifest.pdf` }
}
