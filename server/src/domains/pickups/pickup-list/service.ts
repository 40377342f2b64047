// The pickup list: the parcels that wait for a rider, as data or PDF.
import type { Readable } from 'node:stream'
import type { Party } from '@waybill/contract/addresses/addresses'
import { intlLocale, type Locale } from '@waybill/contract/ground/constants'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatDay } from '@waybill/contract/ground/format'
import { isCancelled } from '@waybill/contract/ground/status/parcel-status'
import type { Translate } from '@waybill/contract/ground/validation'
import type { PickupGroup, pickupList } from '@waybill/contract/parcels/labels'
import type { Deps } from '../../../deps.ts'
import { type AccountId, asAccountId, type CustomerCaller, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { findAccountById } from '../../accounts/service.ts'
import { requireOwnStation } from '../../parcels/custody/service.ts'
import type { PickupParcelRow } from '../../parcels/pickup-side/queries-pickup.ts'
import { listParcelsOfPickups } from '../../parcels/pickup-side/queries-waiting.ts'
import { listWaitingForPickup } from '../../parcels/service.ts'
import { findPickups, type PickupRow } from '../queries.ts'
import { findPickupOfAnyAccount } from '../rider-tasks/queries.ts'
import { layoutPickupList } from './layout.ts'

type Filter = Pick<QueryOf<typeof pickupList>, 'pickupRequestId' | 'date'>

function buildGroup(pickup: PickupRow | null, rows: readonly PickupParcelRow[]): PickupGroup {
  return {
    pickup: pickup && {
      id: pickup.id,
      number: pickup.number,
      date: pickup.pickup_date,
      window: pickup.pickup_window,
      address: pickup.address as Party,
    },
    parcels: rows.map((row) => ({
      id: row.id,
      trackingNumber: row.tracking_number ?? '',
      reference: row.reference,
      receiverName: row.receiver?.contactName ?? '',
      receiverPlace: row.receiver ? `${row.receiver.postcode} ${row.receiver.city}` : '',
      weightGrams: row.weight_grams ?? 0,
      codAmountMinor: row.cod_amount_minor,
      currency: row.currency,
      status: row.status,
    })),
    totalWeightGrams: rows.reduce((sum, row) => sum + (row.weight_grams ?? 0), 0),
  }
}

/** The parcels that wait for a rider, by pickup, the next one first; parcels without a pickup last. */
export async function getPickupList(
  deps: Deps,
  caller: CustomerCaller,
  filter: Filter,
): Promise<{ groups: PickupGroup[]; parcelCount: number }> {
  const rows = await listWaitingForPickup(deps, caller, filter.pickupRequestId ?? null)
  const byPickup = Map.groupBy(rows, ({ pickup_request_id }) => pickup_request_id ?? '')
  const pickups = await findPickups(
    deps.db,
    caller.accountId,
    [...byPickup.keys()].filter((id) => id !== ''),
  )
  const groups = pickups
    .filter(({ pickup_date }) => filter.date === undefined || pickup_date === filter.date)
    .map((pickup) => buildGroup(pickup, byPickup.get(pickup.id) ?? []))
  for (const { id } of pickups) byPickup.delete(id)
  const rest = filter.date || filter.pickupRequestId ? [] : [...byPickup.values()].flat()
  if (rest.length > 0) groups.push(buildGroup(null, rest))
  return { groups, parcelCount: groups.reduce((sum, { parcels }) => sum + parcels.length, 0) }
}

/** `getPickupList` as PDF, with at least one page for each pickup. */
export async function printPickupList(
  deps: Deps,
  caller: CustomerCaller,
  filter: Filter,
  language: Language,
): Promise<Readable> {
  const { groups } = await getPickupList(deps, caller, filter)
  return pickupListPdf(deps, groups, caller.accountId, language)
}

/** The list of one pickup as PDF, for its rider and its station. Throws not_found, task_other_station. */
export async function staffPickupListPdf(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  language: Language,
): Promise<{ file: Readable; name: string }> {
  const pickup = await findPickupOfAnyAccount(deps.db, id)
  if (!pickup || pickup.cancelled_at) throw new AppError('not_found')
  if (pickup.rider_id !== caller.userId) requireOwnStation(caller, pickup.station_id)
  const parcels = (await listParcelsOfPickups(deps.db, [id])).filter(({ status }) => !isCancelled(status))
  const file = await pickupListPdf(deps, [buildGroup(pickup, parcels)], asAccountId(pickup.account_id), language)
  return { file, name: `${pickup.number}.pdf` }
}

type Language = { locale: Locale; t: Translate }

async function pickupListPdf(
  deps: Deps,
  groups: readonly PickupGroup[],
  accountId: AccountId,
  { locale, t }: Language,
): Promise<Readable> {
  const { settings } = deps
  const [account, fonts] = await Promise.all([findAccountById(deps.db, accountId), loadFonts()])
  const now = deps.clock.now()
  const pages = layoutPickupList(fonts, groups, {
    t,
    locale,
    weightUnit: settings.get('units.weight'),
    companyName: settings.get('company.name'),
    accountName: account?.name ?? '',
    printedOn: formatDate(now.toISOString(), settings.get('timezone'), settings.get('format.dateTime'), locale),
    day: (date) => formatDay(date, settings.get('format.date'), locale),
  })
  return pdfStream({ title: t('pickupDoc.title'), language: intlLocale(locale), createdAt: now }, pages)
}
