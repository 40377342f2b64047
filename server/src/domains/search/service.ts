/**
 * The search box: runs each kind's own search for its first hits, in parallel. Access is decided there and by the
 * access table, so the box never shows more than the lists.
 */
import { type AccessRule, decide } from '@waybill/contract/ground/access'
import type { Locale } from '@waybill/contract/ground/constants'
import { formatDay } from '@waybill/contract/ground/format'
import { toStoredNumber } from '@waybill/contract/ground/tracking-number'
import { longestText, maxHitsPerKind, type SearchHit, searchKinds } from '@waybill/contract/search/search'
import type { Deps } from '../../deps.ts'
import type { AnyCaller, CustomerCaller, StaffCaller, UserCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { dayIn } from '../../lib/clock.ts'
import { searchAccounts } from '../accounts/directory/service.ts'
import { accountNames } from '../accounts/service.ts'
import { listCustomerUsers } from '../accounts/staff/manage-users.ts'
import { readTeam } from '../accounts/staff/team.ts'
import { listBookAddresses } from '../addresses/service.ts'
import { findBookingsByNumber } from '../carriers/service.ts'
import { readBanners } from '../content/manage-banners.ts'
import { refundTasks } from '../orders/refunds/service.ts'
import { findOrderByNumber, readOrders } from '../orders/service.ts'
import { readBagByCode } from '../parcels/bags/service.ts'
import { getGunnyForStaff } from '../parcels/gunny/checks.ts'
import { gunnyList } from '../parcels/gunny/service.ts'
import { searchParcels } from '../parcels/list/reads.ts'
import { findParcelForStaff } from '../parcels/scanning/reads.ts'
import { readTrips } from '../parcels/trips/service.ts'
import { readPickups } from '../pickups/requests.ts'
import { readPickupTasks } from '../pickups/rider-tasks/service.ts'
import { readRateCards } from '../pricing/rate-cards/service.ts'
import { readStations } from '../stations/service.ts'
import { searchTickets } from '../tickets/service.ts'
import { findParcelsForStaff } from './parcels-for-staff.ts'

const page = { offset: 0, limit: maxHitsPerKind }

const join = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')

/** Numbers of orders, gunnies and pickups always contain digits, so a search for a name skips these tables. */
const hasDigit = (text: string) => /\d/.test(text)

type Source = { access: AccessRule; find: (text: string) => Promise<SearchHit[]> }

/** The hits of a customer, in the order of `searchKinds`. */
export async function searchForCustomer(
  deps: Deps,
  caller: CustomerCaller,
  text: string,
  locale: Locale,
): Promise<SearchHit[]> {
  const writeDay = dayWriter(deps, locale)
  const sources: Source[] = [
    { access: 'customer.view', find: (q) => findParcels(deps, caller, q) },
    { access: 'customer.view', find: (q) => findOrders(deps, caller, q, writeDay) },
    { access: 'customer.view', find: (q) => findGunnies(deps, caller, q, writeDay) },
    { access: 'customer.view', find: (q) => findPickups(deps, caller, q, writeDay) },
    { access: 'customer.view', find: (q) => findTickets(deps, caller, q) },
    { access: 'addresses.view', find: (q) => findAddresses(deps, caller, q) },
    { access: 'public', find: (q) => findStations(deps, q) },
  ]
  return collect(caller, sources, text)
}

/**
 * The hits of a member of staff: parcels by their number, order or receiver; gunnies, pickups and bookings at carriers
 * by their number; and all else that the role may see.
 */
export async function searchForStaff(
  deps: Deps,
  caller: StaffCaller,
  text: string,
  locale: Locale,
): Promise<SearchHit[]> {
  const writeDay = dayWriter(deps, locale)
  const sources: Source[] = [
    { access: 'staff.parcels', find: (q) => searchParcelByNumber(deps, q) },
    { access: 'staff.parcels', find: (q) => findOtherParcels(deps, caller, q) },
    { access: 'staff.operate', find: (q) => findGunnyByNumber(deps, q) },
    { access: 'staff.operate', find: (q) => findBagByNumber(deps, q) },
    { access: 'staff.operate', find: (q) => findTrips(deps, q) },
    { access: 'staff.operate', find: (q) => findPickupTasks(deps, caller, q, writeDay) },
    { access: 'staff.operate', find: (q) => findCarrierBookings(deps, q) },
    { access: 'staff.accounts', find: (q) => findTickets(deps, caller, q) },
    { access: 'staff.accounts', find: (q) => findAccounts(deps, q) },
    { access: 'staff.accounts', find: (q) => findAccountByNumber(deps, q) },
    { access: 'staff.users', find: (q) => findUsers(deps, q) },
    { access: 'staff.users', find: (q) => findColleagues(deps, caller, q) },
    { access: 'staff.finance', find: (q) => findRefunds(deps, q) },
    { access: 'staff.rates', find: (q) => findRateCards(deps, q) },
    { access: 'staff.content', find: (q) => findBanners(deps, q, writeDay) },
    { access: 'staff.stations', find: (q) => findStations(deps, q, true) },
  ]
  return collect(caller, sources, text)
}

async function collect(caller: AnyCaller, sources: readonly Source[], text: string): Promise<SearchHit[]> {
  const open = sources.filter(({ access }) => decide(access, caller) === 'pass')
  const hits = (await Promise.all(open.map(({ find }) => find(text)))).flat()
  return hits.sort((a, b) => searchKinds.indexOf(a.kind) - searchKinds.indexOf(b.kind))
}

async function findParcels(deps: Deps, caller: CustomerCaller, text: string): Promise<SearchHit[]> {
  const parcels = await searchParcels(deps, caller, text, maxHitsPerKind)
  return parcels.map(({ id, trackingNumber, receiver }) => ({
    kind: 'parcel',
    id,
    title: trackingNumber ?? receiver?.contactName ?? '',
    detail: trackingNumber ? join(receiver?.contactName, receiver?.city) : join(receiver?.line1, receiver?.city),
  }))
}

/** Writes a day, or the day of a moment, in the format of the deployment and the reader's language. */
type WriteDay = (time: string) => string

const dayWriter =
  ({ settings }: Deps, locale: Locale): WriteDay =>
  (time) => {
    const day = time.includes('T') ? dayIn(new Date(time), settings.get('timezone')) : time
    return formatDay(day, settings.get('format.date'), locale)
  }

async function findOrders(deps: Deps, caller: CustomerCaller, text: string, writeDay: WriteDay): Promise<SearchHit[]> {
  if (!hasDigit(text)) return []
  const { items } = await readOrders(deps, caller, { ...page, search: text })
  const byInvoice = /^(inv|\d{4}-)/i.test(text)
  return items.map(({ id, number, invoiceNumber, createdAt }) =>
    byInvoice && invoiceNumber
      ? { kind: 'invoice', id, title: invoiceNumber, detail: number }
      : { kind: 'order', id, title: number, detail: writeDay(createdAt) },
  )
}

async function findGunnies(deps: Deps, caller: CustomerCaller, text: string, writeDay: WriteDay): Promise<SearchHit[]> {
  if (!hasDigit(text) || text.length > 40) return []
  const { items } = await gunnyList(deps, caller, { ...page, search: text })
  return items.map(({ id, number, createdAt }) => ({
    kind: 'gunny',
    id,
    title: number,
    detail: writeDay(createdAt),
  }))
}

async function findPickups(deps: Deps, caller: CustomerCaller, text: string, writeDay: WriteDay): Promise<SearchHit[]> {
  if (!hasDigit(text)) return []
  const { items } = await readPickups(deps, caller, { ...page, tab: 'all', search: text })
  return items.map(({ id, number, date, address }) => ({
    kind: 'pickup',
    id,
    title: number,
    detail: join(writeDay(date), address.city),
  }))
}

async function findTickets(deps: Deps, caller: UserCaller, text: string): Promise<SearchHit[]> {
  const tickets = await searchTickets(deps, caller, text, maxHitsPerKind)
  return tickets.map(({ id, number, title }) => ({ kind: 'ticket', id, title: number, detail: title }))
}

async function findAddresses(deps: Deps, caller: CustomerCaller, text: string): Promise<SearchHit[]> {
  const { items } = await listBookAddresses(deps, caller.accountId, { ...page, search: text })
  return items.map(({ id, contactName, company, postcode, city }) => ({
    kind: 'address',
    id,
    title: contactName,
    detail: join(company, `${postcode ?? ''} ${city}`.trim()),
  }))
}

/** `withCode`: for staff; customers know a station by its name. */
async function findStations(deps: Deps, text: string, withCode = false): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await readStations(deps, { ...page, search: text })
  return items.map(({ id, code, name, postcode, city }) => ({
    kind: 'station',
    id,
    title: name,
    detail: join(withCode ? code : null, `${postcode} ${city}`),
  }))
}

async function searchParcelByNumber(deps: Deps, text: string): Promise<SearchHit[]> {
  const row = await findParcelForStaff(deps, text)
  if (!row?.tracking_number) return []
  const { receiver } = row
  return [
    {
      kind: 'parcel',
      id: row.id,
      title: row.tracking_number,
      detail: join(receiver?.contactName, receiver?.city),
    },
  ]
}

/** Parcels of an order, or of a receiver. */
async function findOtherParcels(deps: Deps, caller: StaffCaller, text: string): Promise<SearchHit[]> {
  const { items } = await findParcelsForStaff(deps, caller, text, { limit: maxHitsPerKind, stationId: null })
  return items.map(({ id, trackingNumber, receiverName, receiverCity }) => ({
    kind: 'parcel',
    id,
    title: trackingNumber,
    detail: join(receiverName, receiverCity),
  }))
}

async function findGunnyByNumber(deps: Deps, text: string): Promise<SearchHit[]> {
  try {
    const { id, number, accountName } = await getGunnyForStaff(deps, text)
    return [{ kind: 'gunny', id, title: number, detail: accountName }]
  } catch (error) {
    // Not a gunny's number: the text may match something else.
    if (error instanceof AppError) return []
    throw error
  }
}

async function findBagByNumber(deps: Deps, text: string): Promise<SearchHit[]> {
  try {
    const { id, number, station, toStation } = await readBagByCode(deps, text)
    return [{ kind: 'bag', id, title: number, detail: `${station.name} → ${toStation.name}` }]
  } catch (error) {
    // Not a bag's number: the text may match something else.
    if (error instanceof AppError) return []
    throw error
  }
}

/** Trips by number, vehicle or driver. */
async function findTrips(deps: Deps, text: string): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await readTrips(deps, { ...page, search: text })
  return items.map(({ id, number, fromStation, toStation }) => ({
    kind: 'trip',
    id,
    title: number,
    detail: `${fromStation.name} → ${toStation.name}`,
  }))
}

/** Pickups of the caller's station; those of all stations for staff who work at none. */
async function findPickupTasks(
  deps: Deps,
  caller: StaffCaller,
  text: string,
  writeDay: WriteDay,
): Promise<SearchHit[]> {
  if (!hasDigit(text) || text.length > 40) return []
  const { items } = await readPickupTasks(deps, caller, { ...page, search: text })
  return items.map(({ id, number, date, accountName }) => ({
    kind: 'pickup',
    id,
    title: number,
    detail: join(accountName, writeDay(date)),
  }))
}

/** Bookings at other carriers, by the beginning of the carrier's number or of ours. */
async function findCarrierBookings(deps: Deps, text: string): Promise<SearchHit[]> {
  if (!hasDigit(text) || text.length > 40) return []
  const bookings = await findBookingsByNumber(deps.db, text, maxHitsPerKind)
  return bookings.map(({ parcel_id, tracking_number, carrier_number }) => ({
    kind: 'carrier_booking',
    id: parcel_id,
    title: tracking_number,
    detail: join(carrier_number),
  }))
}

async function findAccounts(deps: Deps, text: string): Promise<SearchHit[]> {
  const { items } = await searchAccounts(deps, { search: text, tab: 'all', offset: 0, limit: maxHitsPerKind })
  return items.map(({ id, name, number, email }) => ({ kind: 'account', id, title: name, detail: join(number, email) }))
}

/** The account of an order or a parcel, for a customer who names only its number on the phone. */
async function findAccountByNumber(deps: Deps, text: string): Promise<SearchHit[]> {
  const number = toStoredNumber(text)
  if (!hasDigit(text) || number.length > 40) return []
  const owner = number.startsWith('ORD-')
    ? await findOrderByNumber(deps.db, number)
    : await findParcelOwner(deps, number)
  if (!owner) return []
  const names = await accountNames(deps.db, [owner.accountId])
  return [...names].map(([id, name]) => ({ kind: 'account', id, title: name, detail: owner.number }))
}

async function findParcelOwner(deps: Deps, text: string): Promise<{ accountId: string; number: string } | null> {
  const parcel = await findParcelForStaff(deps, text)
  return parcel && { accountId: parcel.account_id, number: parcel.tracking_number ?? text }
}

async function findUsers(deps: Deps, text: string): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await listCustomerUsers(deps, { ...page, search: text })
  return items.map(({ id, name, email, accountName }) => ({
    kind: 'user',
    id,
    title: name,
    detail: join(email, accountName),
  }))
}

async function findColleagues(deps: Deps, caller: StaffCaller, text: string): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await readTeam(deps, caller, { search: text, tab: 'all', offset: 0, limit: maxHitsPerKind })
  return items.map(({ id, name, email }) => ({ kind: 'colleague', id, title: name, detail: email }))
}

async function findRefunds(deps: Deps, text: string): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await refundTasks(deps, { ...page, search: text })
  return items.map(({ id, orderNumber, accountName }) => ({
    kind: 'refund',
    id,
    title: orderNumber,
    detail: accountName,
  }))
}

async function findRateCards(deps: Deps, text: string): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await readRateCards(deps, { ...page, search: text })
  return items.map(({ id, name, code, edition }) => ({
    kind: 'rate_card',
    id,
    title: name,
    detail: join(code, String(edition)),
  }))
}

async function findBanners(deps: Deps, text: string, writeDay: WriteDay): Promise<SearchHit[]> {
  if (text.length > longestText) return []
  const { items } = await readBanners(deps, { search: text, tab: 'all', offset: 0, limit: maxHitsPerKind })
  return items.map(({ id, title, startsOn }) => ({ kind: 'banner', id, title: title.en, detail: writeDay(startsOn) }))
}
