/** The address book, postcodes and coverage. */

import type {
  Address,
  getAvailablePostcode,
  getPostcode,
  listAddresses,
  parseAddress,
} from '@waybill/contract/addresses/addresses'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import { fieldMessage, type Translate } from '@waybill/contract/ground/validation'
import { endsAtStation, isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import { type Activity, recordActivity } from '../../activity.ts'
import { containing } from '../../db/conditions/like.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { AccountId, CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { type Idempotency, withoutKey } from '../../http/idempotency.ts'
import { findCountryCode } from '../../lib/countries.ts'
import { newId } from '../../lib/ids.ts'
import { readPhone } from '../../lib/phone.ts'
import { coveringStation, findZoneOfPlace } from '../stations/network.ts'
import { findState, hasPostcodes, lookupPostcode } from '../stations/postcodes.ts'
import { type AddressInput, requireValidAddress } from './check-address.ts'
import { findContradictions } from './contradictions.ts'
import { parseAddressText } from './parse/parse-address.ts'
import { presentAddress } from './present.ts'
import {
  clearDefault,
  countAddresses,
  deleteAddresses,
  findAddress,
  findDefault,
  insertAddress,
  labelledSenders,
  listAddressRows,
  updateContent,
} from './queries.ts'
import { listSearchWords } from './rules.ts'

/** A page of the address book; every word of `search` must occur in some field. */
export async function listBookAddresses(
  { db }: Deps,
  accountId: AccountId,
  { search, kind, sort, offset, limit }: QueryOf<typeof listAddresses>,
): Promise<ResponseOf<typeof listAddresses>> {
  const filter = { accountId, kind: kind ?? null, patterns: listSearchWords(search ?? '').map(containing) }
  const [rows, total] = await Promise.all([
    listAddressRows(db, filter, { sort: parseSort(sort), offset, limit }),
    countAddresses(db, filter),
  ])
  return { items: rows.map(presentAddress), total, offset, limit }
}

/** The account's default sender, or null. */
export async function defaultAddress(db: DbOrTx, accountId: AccountId): Promise<Address | null> {
  const row = await findDefault(db, accountId)
  return row ? presentAddress(row) : null
}

/** More labels than anybody could tell apart. */
const maxLabels = 2_000

/** The account's sender addresses by label; of equal labels the one changed last. */
export async function sendersByLabel(db: DbOrTx, accountId: AccountId): Promise<Map<string, Address>> {
  const rows = await labelledSenders(db, accountId, maxLabels)
  return new Map(rows.toReversed().map((row) => [row.label ?? '', presentAddress(row)]))
}

/** Throws not_found, also for another account's address. */
export async function readAddress(db: DbOrTx, accountId: AccountId, id: string): Promise<Address> {
  const row = await findAddress(db, accountId, id)
  if (!row) throw new AppError('not_found')
  return presentAddress(row)
}

const activity = (
  { clock }: Deps,
  { accountId, userId }: CustomerCaller,
  verb: 'create' | 'update' | 'remove',
  subject: string,
): Activity => ({ action: `addresses.${verb}`, accountId, userId, subject, at: clock.now() })

/**
 * Adds an address. A new default replaces the old one. Throws phone_invalid, postcode_unknown, city_mismatch,
 * validation.
 */
export async function addAddress(
  deps: Deps,
  caller: CustomerCaller,
  input: AddressInput,
  idempotency: Pick<Idempotency, 'keep'> = withoutKey,
): Promise<Address> {
  const content = requireValidAddress(input, { by: caller.userId, at: deps.clock.now() })
  const id = newId()
  return tx(deps.db, async (trx) => {
    if (content.is_default) await clearDefault(trx, caller.accountId, id)
    await recordActivity(trx, activity(deps, caller, 'create', id))
    const row = await insertAddress(trx, caller.accountId, content, { id, by: caller.userId, at: deps.clock.now() })
    const address = presentAddress(row)
    await idempotency.keep(trx, address)
    return address
  })
}

/**
 * Changes an address. An override stays valid while its text is unchanged. Throws the errors of adding, not_found,
 * version_conflict.
 */
export async function changeAddress(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, ...input }: AddressInput & { version: number },
): Promise<Address> {
  const { accountId } = caller
  const row = await tx(deps.db, async (trx) => {
    const before = await findAddress(trx, accountId, id)
    if (!before) throw new AppError('not_found')
    const at = deps.clock.now()
    const content = requireValidAddress(input, { by: caller.userId, at }, before.overridden)
    if (content.is_default) await clearDefault(trx, accountId, id)
    const changed = await updateContent(trx, accountId, content, { id, version, at })
    // Thrown inside the transaction, so that the previous default is kept.
    if (!changed) throw new AppError('version_conflict')
    await recordActivity(trx, activity(deps, caller, 'update', id))
    return changed
  })
  return presentAddress(row)
}

/** Deletes addresses. Throws not_found, without any change, if one of them is not in the account's book. */
export async function deleteFromBook(deps: Deps, caller: CustomerCaller, ids: readonly string[]): Promise<void> {
  const uniqueIds = [...new Set(ids)]
  await tx(deps.db, async (trx) => {
    const count = await deleteAddresses(trx, caller.accountId, uniqueIds)
    if (count !== uniqueIds.length) throw new AppError('not_found')
    await recordActivity(trx, ...uniqueIds.map((id) => activity(deps, caller, 'remove', id)))
  })
}

const unknownPostcode = () =>
  new AppError('postcode_unknown', { fields: [{ field: 'postcode', rule: 'postcodeUnknown' }] })

/**
 * State and cities of a postcode; empty for a country without known postcodes. If a city and a state are given, also
 * those that contradict it. Throws postcode_unknown.
 */
export function findPlaceOfPostcode(
  { postcode, country, city, state }: BodyOf<typeof getPostcode>,
  t: Translate,
): ResponseOf<typeof getPostcode> {
  const hasData = hasPostcodes(country)
  const place = hasData ? lookupPostcode(postcode, country) : null
  if (hasData && !place) throw unknownPostcode()
  const answer = { postcode, country, state: place?.state ?? '', cities: [...(place?.cities ?? [])] }
  if (city === undefined || state === undefined) return answer
  const contradictions = findContradictions({ postcode, country, city, state }).map(({ field, rule, vars }) => ({
    field,
    message: fieldMessage(rule, field, t, vars),
  }))
  return { ...answer, contradictions }
}

/**
 * Whether riders serve a postcode; with service and delivery mode, whether they pick up (D2*) and deliver (*2D) there.
 * A postcode without service is a valid answer; one that does not exist throws postcode_unknown.
 */
export async function getAvailability(
  { db, settings }: Deps,
  { postcode, country, serviceType, deliveryMode }: BodyOf<typeof getAvailablePostcode>,
): Promise<ResponseOf<typeof getAvailablePostcode>> {
  if (hasPostcodes(country) && !lookupPostcode(postcode, country)) throw unknownPostcode()
  const [covering, zone] = await Promise.all([
    coveringStation(db, country, postcode),
    findZoneOfPlace(db, 'domestic', { country, postcode }),
  ])
  const currency = settings.get('currency')
  if (!covering || !zone) {
    return { covered: false, station: null, serviceCodes: [], cutOffTime: null, remoteSurchargeMinor: 0, currency }
  }
  const { station, cutOffTime } = covering
  // Documents travel with the parcels.
  const service = serviceType === 'document' ? 'e_parcel' : serviceType
  // The services that the delivery mode needs from the station at either end.
  const ends = deliveryMode && [
    isPickedUp(deliveryMode) ? 'pickup' : 'drop_off',
    endsAtStation(deliveryMode) ? 'self_collection' : 'delivery',
  ]
  const does = (code: string, what: string) => code.endsWith(`.${what}`)
  const serviceCodes = station.serviceCodes.filter(
    (code) => (!service || code.startsWith(`${service}.`)) && (!ends || ends.some((what) => does(code, what))),
  )
  // Only riders depend on the place: a customer may use any station.
  const needed = (ends ?? []).filter((what) => what === 'pickup' || what === 'delivery')
  return {
    covered: serviceCodes.length > 0 && needed.every((what) => serviceCodes.some((code) => does(code, what))),
    station: { id: station.id, code: station.code, name: station.name },
    serviceCodes,
    cutOffTime,
    remoteSurchargeMinor: zone.remoteSurchargeMinor,
    currency,
  }
}

/** Parses a pasted address; nothing is stored. */
export function parsePastedAddress(
  { settings }: Deps,
  { text }: BodyOf<typeof parseAddress>,
): ResponseOf<typeof parseAddress> {
  const home = settings.get('countryCode')
  return {
    fields: parseAddressText(text, {
      home,
      postcode: (digits) => lookupPostcode(digits, home),
      state: findState,
      country: findCountryCode,
      phone: readPhone,
    }),
  }
}
