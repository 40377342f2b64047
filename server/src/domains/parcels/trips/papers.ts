// The manifest of a trip.
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import { formatDate, formatWeight } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import type { TripLoad } from '@waybill/contract/parcels/transport/trips'
import type { Deps } from '../../../deps.ts'
import { type CompanyReport, renderCompanyReport } from '../../settings/company-report.ts'
import { readTrip } from './service.ts'

type Language = { locale: Locale; t: Translate }

/** The height of a row for a name and a signature, in millimetres. */
const signatureHeight = 16

/** The manifest of a trip as PDF: what was loaded, and lines for signatures. Throws not_found. */
export async function printTripManifest(
  deps: Deps,
  id: string,
  { locale, t }: Language,
): Promise<{ file: Readable; name: string }> {
  const { settings } = deps
  const trip = await readTrip(deps.db, id)
  const loads = trip.loads.filter(({ state }) => state !== 'extra').reverse()
  const getWeight = (grams: number) => formatWeight(grams, settings.get('units.weight'), locale)
  const time = (at: string) => formatDate(at, settings.get('timezone'), settings.get('format.dateTime'), locale)
  const number = groupTrackingNumber(trip.number)
  const report: CompanyReport = {
    title: t('tripDoc.title'),
    subtitle: number,
    reference: trip.number,
    facts: [
      [t('tripDoc.from'), `${trip.fromStation.code}  ${trip.fromStation.name}`],
      [t('tripDoc.to'), `${trip.toStation.code}  ${trip.toStation.name}`],
      [t('tripDoc.vehicle'), trip.vehicle],
      [t('tripDoc.driver'), trip.driverName],
      [t('tripDoc.seal'), trip.sealNumber ?? '–'],
      [t('tripDoc.departed'), trip.departedAt ? time(trip.departedAt) : '–'],
    ],
    columns: [
      { header: '#', width: 10 },
      { header: t('tripDoc.load') },
      { header: t('tripDoc.destination'), width: 48 },
      { header: t('tripDoc.seal'), width: 26 },
      { header: t('tripDoc.parcels'), width: 18, align: 'right' },
      { header: t('tripDoc.weight'), width: 22, align: 'right' },
    ],
    rows: loads.map((load, n) => ({
      cells: [
        String(n + 1),
        describeLoad(load, t),
        load.to ?? '–',
        load.sealNumber ?? '',
        String(load.parcelCount),
        getWeight(load.weightGrams),
      ],
    })),
    empty: t('tripDoc.empty'),
    closing: () => [
      [t('tripDoc.loads'), String(loads.length)],
      [t('tripDoc.parcels'), String(trip.parcelCount)],
      [t('tripDoc.weight'), getWeight(trip.weightGrams)],
    ],
    furtherTables: [
      {
        title: t('tripDoc.signatures'),
        columns: [{ header: t('tripDoc.who'), width: 52 }, { header: t('tripDoc.signature') }],
        rows: [t('tripDoc.loadedBy'), t('tripDoc.driver'), t('tripDoc.unloadedBy')].map((who) => ({
          cells: [who, ''],
        })),
        rowHeight: signatureHeight,
        empty: '',
      },
    ],
    foot: (page) => t('tripDoc.foot', { page, number }),
  }
  return { file: renderCompanyReport(deps, locale, report), name: `${trip.number}-manifest.pdf` }
}

/** The number; below it the kind, unless it is a parcel. */
function describeLoad({ kind, number }: TripLoad, t: Translate): string | readonly [string, string] {
  const shownNumber = groupTrackingNumber(number).replaceAll(' ', '\u00a0')
  return kind === 'parcel' ? shownNumber : [shownNumber, t(`loadKind.${kind}`)]
}
