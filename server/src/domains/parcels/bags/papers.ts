// The label of a bag.
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatWeight } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { Deps } from '../../../deps.ts'
import { findStationsById } from '../../stations/service.ts'
import { printContainerLabel } from '../gunny/papers.ts'
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
  return printContainerLabel(deps, text, format, { locale, t })
}
