// Consignment notes: their contents, for customers and staff.
import type { Readable } from 'node:stream'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import { carrierLabels, contentTypeLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { Translate } from '@waybill/contract/ground/validation'
import type { NotePaper } from '@waybill/contract/parcels/labels'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type UserCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { countryName } from '../../../lib/countries.ts'
import { recordFirstNote } from '../../accounts/service.ts'
import { findLogo } from '../../attachments/company-logo.ts'
import { mapCarrierNumbers } from '../../carriers/service.ts'
import { coveringStation, findZoneOfPlace } from '../../stations/network.ts'
import type { Station } from '../../stations/queries.ts'
import { findStationsById } from '../../stations/service.ts'
import { rowHasNote } from '../access.ts'
import { artworkOnNotes } from '../artwork/service.ts'
import { gunnyNumbers } from '../gunny/queries.ts'
import type { ParcelRow } from '../queries.ts'
import { codStillDue } from '../scanning/rules.ts'
import { type NoteOptions, renderConsignmentNotes } from './draw-notes.ts'
import type { ConsignmentNote, NoteAddress } from './layout-text.ts'
import { printableParcels } from './printable-parcels.ts'

/** The country is in English capitals, as the Universal Postal Union asks: carriers abroad read it. */
function buildAddress({
  contactName,
  company,
  phone,
  line1,
  line2,
  postcode,
  city,
  state,
  country,
}: Party): NoteAddress {
  const countryInEnglish = countryName(country, 'en').toUpperCase()
  return { name: contactName, company, phone, line1, line2, postcode, city, state, country: countryInEnglish }
}

/** The code that sorters read from a distance: the delivering station and its zone, or the country. */
async function routeCode(deps: Deps, row: ParcelRow, receiver: Party, collectAt: Station | null): Promise<string> {
  if (receiver.country !== deps.settings.get('countryCode')) return receiver.country.toUpperCase()
  const station = collectAt ?? (await coveringStation(deps.db, receiver.country, receiver.postcode))?.station
  const zone = await findZoneOfPlace(deps.db, row.scope, collectAt ?? receiver)
  return [station?.code, zone?.zone].filter(Boolean).join(' ') || receiver.postcode
}

async function buildNote(
  deps: Deps,
  row: ParcelRow,
  { stations, gunnies, carrierNumbers, artworks, logo }: NoteContext,
  { locale, t }: PrintLanguage,
): Promise<ConsignmentNote> {
  const { sender, receiver, service_type, delivery_mode, tracking_number } = row
  // Only complete parcels have a number, which the caller has checked.
  if (!sender || !receiver || !service_type || !delivery_mode || !tracking_number) throw new AppError('internal')
  const collectAt = stations.get(row.self_collection_station_id ?? '') ?? null
  // A company's own picture replaces the courier's.
  const picture = artworks.get(row.account_id) ?? logo
  const due = codStillDue(row)
  return {
    trackingNumber: tracking_number,
    trackingUrl: `${deps.config.http.publicUrl}/public/track-parcels?no=${tracking_number}`,
    serviceLabel: enumLabel(serviceTypeLabels, service_type, locale),
    deliveryMode: { code: delivery_mode, label: enumLabel(deliveryModeLabels, delivery_mode, locale) },
    carrierLabel: enumLabel(carrierLabels, row.carrier ?? 'own', locale),
    routeCode: await routeCode(deps, row, receiver, collectAt),
    sender: buildAddress(sender),
    receiver: buildAddress(receiver),
    weightGrams: row.chargeable_grams ?? row.weight_grams ?? 0,
    pieces: 1,
    contentDescription:
      row.content_description ?? (row.content_type ? enumLabel(contentTypeLabels, row.content_type, locale) : ''),
    cod: due === null ? null : { amountMinor: due, currency: row.currency },
    insuredValueMinor: row.insured_value_minor,
    currency: row.currency,
    reference: row.reference,
    remarks: receiver.remarks,
    createdAt: row.created_at.toISOString(),
    companyName: deps.settings.get('company.name'),
    ...(picture ? { companyLogo: picture } : {}),
    gunnyNumber: gunnies.get(row.gunny_id ?? '') ?? null,
    carrierNumber: carrierNumbers.get(row.id) ?? null,
    customs: row.scope === 'international' ? t('note.customs') : null,
    selfCollectionStation: collectAt && { code: collectAt.code, name: collectAt.name },
  }
}

/** The language of a note. */
export type PrintLanguage = { locale: Locale; t: Translate }

/** A 422 with the ids of parcels without a note. */
export function noNoteError(ids: readonly string[]): AppError {
  return new AppError('validation', { fields: [{ field: 'ids', rule: 'noNote' }], details: { ids } })
}

/** The data shared by many notes, loaded once. */
type NoteContext = {
  stations: ReadonlyMap<string, Station>
  gunnies: ReadonlyMap<string, string>
  carrierNumbers: ReadonlyMap<string, string>
  /** Companies' pictures, by account. */
  artworks: ReadonlyMap<string, Uint8Array | null>
  /** The courier's logo. */
  logo: Uint8Array | null
}

/**
 * The notes of parcels in the order of the ids, created while they are read. Throws not_found for another account's
 * parcels, and validation with `details.ids` for those without a note.
 */
export async function readNotes(
  deps: Deps,
  caller: UserCaller,
  ids: readonly string[],
  { locale, t }: PrintLanguage,
): Promise<AsyncIterable<ConsignmentNote>> {
  const rows = await printableParcels(deps, caller, ids)
  const without = rows.filter((row) => !rowHasNote(row)).map(({ id }) => id)
  if (without.length > 0) throw noNoteError(without)
  if (caller.kind === 'customer' && !caller.viewer) await recordFirstNote(deps.db, caller.accountId, deps.clock.now())
  const unique = <V>(values: (V | null)[]) => [...new Set(values.filter((value) => value !== null))]
  const atCarriers = rows.filter(({ carrier }) => carrier !== null && carrier !== 'own').map(({ id }) => id)
  const accounts = unique(rows.map((row) => row.account_id))
  const [stations, gunnies, carrierNumbers, logo, artworks] = await Promise.all([
    findStationsById(deps.db, unique(rows.map((row) => row.self_collection_station_id))),
    gunnyNumbers(deps.db, unique(rows.map((row) => row.gunny_id))),
    mapCarrierNumbers(deps.db, atCarriers),
    findLogo(deps),
    Promise.all(accounts.map(async (id) => [id, await artworkOnNotes(deps, asAccountId(id))] as const)),
  ])
  async function* notes() {
    const context = { stations, gunnies, carrierNumbers, logo, artworks: new Map(artworks) }
    for (const row of rows) yield await buildNote(deps, row, context, { locale, t })
  }
  return notes()
}

/** The options for drawing notes, from the settings. */
export function noteOptions(
  { settings, clock }: Deps,
  language: PrintLanguage,
  { format, startAt }: { format: NotePaper; startAt: number },
): NoteOptions {
  return {
    ...language,
    format,
    startAt,
    now: clock.now(),
    settings: {
      timeZone: settings.get('timezone'),
      dateFormat: settings.get('format.date'),
      dateTimeFormat: settings.get('format.dateTime'),
      weightUnit: settings.get('units.weight'),
    },
  }
}

/** Consignment notes in the order of the ids, drawn while they are sent. Throws the errors of `readNotes`. */
export async function consignmentNotes(
  deps: Deps,
  caller: UserCaller,
  query: { ids: readonly string[]; format: NotePaper; startAt: number },
  language: PrintLanguage,
): Promise<Readable> {
  return renderConsignmentNotes(await readNotes(deps, caller, query.ids, language), noteOptions(deps, language, query))
}

/** The file name of a print. */
export function notesFileName(format: NotePaper): string {
  return `consignment-notes.${format === 'zpl' ? 'zpl' : 'pdf'}`
}
