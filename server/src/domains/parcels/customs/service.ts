// The customs document of a parcel: CN22 or CN23.
import type { Readable } from 'node:stream'
import type { Party } from '@waybill/contract/addresses/addresses'
import { intlLocale } from '@waybill/contract/ground/constants'
import { formatDate } from '@waybill/contract/ground/format'
import { customsTotal } from '@waybill/contract/parcels/customs'
import type { Deps } from '../../../deps.ts'
import type { UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countryName } from '../../../lib/countries.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { type PdfPage, pdfStream } from '../../../lib/print/pdf.ts'
import { hasCustomsDocument } from '../access.ts'
import { printableParcels } from '../labels/printable-parcels.ts'
import type { ParcelRow } from '../queries.ts'
import { fitsLabel, layoutCn22 } from './layout-cn22.ts'
import { layoutCn23 } from './layout-cn23.ts'
import {
  a4,
  a6,
  type CustomsForm,
  type CustomsLanguage,
  type CustomsPaper,
  type CustomsParty,
  chooseCustomsForm,
} from './layout-form.ts'

/** Countries are in English, because foreign customs read them. */
const getCountryName = (country: string) => countryName(country, 'en')

function buildParty({
  contactName,
  company,
  line1,
  line2,
  postcode,
  city,
  state,
  country,
  phone,
  email,
}: Party): CustomsParty {
  return {
    name: contactName,
    company,
    street: [line1, line2].filter((line) => line !== null),
    place: [`${postcode} ${city}`.trim(), state === city ? '' : state].filter(Boolean).join(', '),
    country: getCountryName(country),
    phone,
    email,
  }
}

/** The form and the contents of a parcel's declaration. Throws validation if it has none, or is cancelled. */
export function customsPaper({ settings, clock }: Deps, row: ParcelRow): { form: CustomsForm; paper: CustomsPaper } {
  const { customs, sender, receiver, tracking_number } = row
  if (!hasCustomsDocument(row) || !customs || !sender || !receiver || !tracking_number) {
    throw new AppError('validation', { fields: [{ field: 'id', rule: 'noCustoms' }], details: { ids: [row.id] } })
  }
  const totalMinor = customsTotal(customs)
  const grossWeightGrams = row.actual_grams ?? row.weight_grams ?? 0
  const paper: CustomsPaper = {
    trackingNumber: tracking_number,
    reference: row.reference,
    sender: buildParty(sender),
    receiver: buildParty(receiver),
    reason: customs.reason,
    reasonText: customs.reasonText,
    lines: customs.items.map(({ description, quantity, netWeightGrams, unitValueMinor, hsCode, originCountry }) => ({
      description,
      quantity,
      netWeightGrams,
      valueMinor: quantity * unitValueMinor,
      hsCode,
      origin: getCountryName(originCountry),
    })),
    grossWeightGrams,
    totalMinor,
    currency: row.currency,
    comments: customs.comments,
    licenceNumber: customs.licenceNumber,
    certificateNumber: customs.certificateNumber,
    invoiceNumber: customs.invoiceNumber,
    date: formatDate(clock.now().toISOString(), settings.get('timezone'), settings.get('format.date'), 'en'),
    companyName: settings.get('company.name'),
  }
  const form = chooseCustomsForm(totalMinor, grossWeightGrams, settings.get('customs.sdrMinor'))
  return { form: fitsLabel(paper) ? form : 'cn23', paper }
}

/**
 * The customs document of a parcel as PDF. Throws not_found for another account's parcel, validation if there is none.
 */
export async function customsDocument(
  deps: Deps,
  caller: UserCaller,
  id: string,
  language: CustomsLanguage,
): Promise<{ name: string; pdf: Readable }> {
  const [row] = (await printableParcels(deps, caller, [id])) as [ParcelRow]
  const { form, paper } = customsPaper(deps, row)
  async function* pages(): AsyncGenerator<PdfPage> {
    const fonts = await loadFonts()
    if (form === 'cn22') {
      yield { widthMm: a6.width, heightMm: a6.height, marks: layoutCn22(fonts, paper, language) }
      return
    }
    for (const marks of layoutCn23(fonts, paper, language)) yield { widthMm: a4.width, heightMm: a4.height, marks }
  }
  const info = {
    title: `${form.toUpperCase()} ${paper.trackingNumber}`,
    author: paper.companyName,
    language: intlLocale(language.locale),
    createdAt: deps.clock.now(),
  }
  return { name: `${form}-${paper.trackingNumber}.pdf`, pdf: pdfStream(info, pages()) }
}
