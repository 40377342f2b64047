import type { Readable } from 'node:stream'
import type { Party } from '@waybill/contract/addresses'
import {
  carrierLabels,
  contentTypeLabels,
  deliveryModeLabels,
  type Locale,
  labelOf,
  serviceTypeLabels,
} from '@waybill/contract/enums'
import type { Translate } from '@waybill/contract/validation'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { coveringStation, type Station, stationsById } from '../stations/service.ts'
import { hasNote } from './access.ts'
import { renderConsignmentNotes } from './note.ts'
import type { ConsignmentNote, NoteAddress } from './note-text.ts'
import type { ParcelRow } from './queries.ts'
import { parcelsInOrder } from './reads.ts'

function addressOf({ contactName, company, phone, line1, line2, postcode, city, state, country }: Party): NoteAddress {
  return { name: contactName, company, phone, line1, line2, postcode, city, state, country: country.toUpperCase() }
}

/** What sorters read from afar: the station that delivers and the zone it lies in; abroad, the country. */
async function routeCode(deps: Deps, row: ParcelRow, receiver: Party, collectAt: Station | null): Promise<string> {
  if (receiver.country !== deps.settings.get('countryCode')) return receiver.country.toUpperCase()
  const station = collectAt ?? (await coveringStation(deps.db, receiver.country, receiver.postcode))?.station
  return [station?.code, row.price?.destinationZone].filter(Boolean).join(' ') || receiver.postcode
}

async function noteOf(
  deps: Deps,
  row: ParcelRow,
  stations: ReadonlyMap<string, Station>,
  locale: Locale,
): Promise<ConsignmentNote> {
  const { sender, receiver, service_type, delivery_mode, tracking_number } = row
  // Only complete parcels get a number, and the caller has looked for one.
  if (!sender || !receiver || !service_type || !delivery_mode || !tracking_number) throw new AppError('internal')
  const collectAt = stations.get(row.self_collection_station_id ?? '') ?? null
  return {
    trackingNumber: tracking_number,
    trackingUrl: `${deps.config.http.publicUrl}/public/track-parcels?no=${tracking_number}`,
    serviceLabel: labelOf(serviceTypeLabels, service_type, locale),
    deliveryMode: { code: delivery_mode, label: labelOf(deliveryModeLabels, delivery_mode, locale) },
    carrierLabel: labelOf(carrierLabels, row.carrier ?? 'own', locale),
    routeCode: await routeCode(deps, row, receiver, collectAt),
    sender: addressOf(sender),
    receiver: addressOf(receiver),
    weightGrams: row.chargeable_grams ?? row.weight_grams ?? 0,
    pieces: 1,
    contentDescription:
      row.content_description ?? (row.content_type ? labelOf(contentTypeLabels, row.content_type, locale) : ''),
    cod: row.cod_amount_minor ? { amountMinor: row.cod_amount_minor, currency: row.currency } : null,
    insuredValueMinor: row.insured_value_minor,
    currency: row.currency,
    reference: row.reference,
    remarks: receiver.remarks,
    createdAt: row.created_at.toISOString(),
    companyName: deps.settings.get('company.name'),
    selfCollectionStation: collectAt && { code: collectAt.code, name: collectAt.name },
  }
}

/**
 * Consignment notes as one PDF in the order of the ids, in the caller's language, drawn while it is sent. Throws not_found for others' parcels, and
 * validation with `details.ids` for those that have no number yet or travel no more.
 */
export async function consignmentNotes(
  deps: Deps,
  caller: CustomerCaller,
  query: { ids: readonly string[]; format: 'a6' },
  language: { locale: Locale; t: Translate },
): Promise<Readable> {
  const rows = await parcelsInOrder(deps, caller, query.ids)
  const without = rows.filter((row) => !hasNote(row)).map(({ id }) => id)
  if (without.length > 0) {
    throw new AppError('validation', { fields: [{ field: 'ids', rule: 'noNote' }], details: { ids: without } })
  }
  const stations = await stationsById(
    deps.db,
    rows.flatMap(({ self_collection_station_id }) => self_collection_station_id ?? []),
  )
  async function* notes() {
    for (const row of rows) yield await noteOf(deps, row, stations, language.locale)
  }
  const { settings } = deps
  return renderConsignmentNotes(notes(), {
    ...language,
    format: query.format,
    now: deps.clock.now(),
    settings: {
      timeZone: settings.get('timezone'),
      dateFormat: settings.get('format.date'),
      dateTimeFormat: settings.get('format.dateTime'),
      weightUnit: settings.get('units.weight'),
    },
  })
}
