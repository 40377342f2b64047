// The run sheet of a rider: the stops of the day on paper, in the order of the screen.
import type { Readable } from 'node:stream'
import type { Party } from '@waybill/contract/addresses/addresses'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { formatDay, formatMoney } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { Translate } from '@waybill/contract/ground/validation'
import { doorKey, type printRunSheet } from '@waybill/contract/parcels/rider-tasks'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { dayIn } from '../../../lib/clock.ts'
import { formatPhone } from '../../../lib/phone.ts'
import type { ReportRow } from '../../../lib/print/report-pdf.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { type CompanyReport, renderCompanyReports } from '../../settings/company-report.ts'
import { findStationsById } from '../../stations/service.ts'
import { listDeliveryTaskRows, type TaskWithParcel } from './queries-deliveries.ts'
import { toTaskFilter } from './rider-tasks.ts'
import { codStillDue } from './rules.ts'

/** Tasks per query. A rider has far fewer, a station perhaps more. */
const batch = 500

type Language = { t: Translate; locale: Locale }

/** One door, with all parcels for it. */
export type Stop = { to: Party | null; tasks: TaskWithParcel[] }

const addressee = (task: TaskWithParcel) => (task.leg === 'return' ? task.sender : task.receiver)

/** The stops of a rider by postcode and street: parcels to one person at one door are one stop. */
export function toStops(tasks: readonly TaskWithParcel[]): Stop[] {
  const key = (task: TaskWithParcel) => {
    const to = addressee(task)
    return to ? doorKey(to) : task.id
  }
  return [...Map.groupBy(tasks, key)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({ to: addressee(group[0] as TaskWithParcel), tasks: group }))
}

/**
 * The run sheets of the caller, or of all riders of a station: a sheet for each, from page 1. Throws
 * task_other_station.
 */
export async function renderRunSheets(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof printRunSheet>,
  language: Language,
): Promise<{ name: string; pdf: Readable }> {
  const filter = toTaskFilter(caller, query, null)
  const tasks: TaskWithParcel[] = []
  for (;;) {
    const { rows } = await listDeliveryTaskRows(deps.db, filter, { offset: tasks.length, limit: batch })
    tasks.push(...rows)
    if (rows.length < batch) break
  }
  const byRider = Map.groupBy(tasks, ({ rider_id }) => rider_id ?? '')
  if (byRider.size === 0) byRider.set(caller.userId, [])
  const stationIds = new Set(tasks.flatMap(({ station_id }) => station_id ?? []))
  const [names, stations] = await Promise.all([
    findStaffNames(deps.db, [...byRider.keys()].filter(Boolean)),
    findStationsById(deps.db, [...stationIds]),
  ])
  const sheets = [...byRider].map(([riderId, own]) => ({
    rider: names.get(riderId) ?? '–',
    station: stations.get(own[0]?.station_id ?? caller.stationId ?? '')?.name ?? '',
    tasks: own,
  }))
  sheets.sort((a, b) => (a.rider < b.rider ? -1 : 1))
  const day = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  const reports = sheets.map((sheet) => layOutSheet(deps, { ...sheet, day }, language))
  return { name: `run-sheet-${day}.pdf`, pdf: renderCompanyReports(deps, language.locale, reports) }
}

type Sheet = { rider: string; station: string; tasks: readonly TaskWithParcel[]; day: string }

function layOutSheet({ settings }: Deps, sheet: Sheet, { t, locale }: Language): CompanyReport {
  const { rider, station, tasks } = sheet
  const currency = tasks[0]?.currency ?? settings.get('currency')
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const cod = (each: readonly TaskWithParcel[]) =>
    each.reduce((sum, task) => sum + (codStillDue({ ...task, status: task.parcel_status }) ?? 0), 0)
  const stops = toStops(tasks)
  const day = formatDay(sheet.day, settings.get('format.date'), locale)
  const rows = stops.map(({ to, tasks: parcels }, n): ReportRow => {
    const numbers = parcels.map((task) => groupTrackingNumber(task.tracking_number)).join(', ')
    const cash = cod(parcels)
    return { cells: [String(n + 1), describeDoor(to), numbers, cash > 0 ? money(cash) : '', ''] }
  })
  return {
    title: t('runSheetDoc.title'),
    subtitle: `${rider}  ·  ${day}`,
    reference: `${rider} ${sheet.day}`,
    facts: station ? [[t('cashDoc.station'), station]] : [],
    columns: [
      { header: '#', width: 9 },
      { header: t('runSheetDoc.stop') },
      { header: t('runSheetDoc.parcels'), width: 36 },
      { header: t('runSheetDoc.cash'), width: 26, align: 'right' },
      { header: t('runSheetDoc.signature'), width: 40 },
    ],
    rows,
    empty: t('runSheetDoc.empty'),
    closing: () => [
      [t('runSheetDoc.stops'), String(stops.length)],
      [t('runSheetDoc.parcels'), String(tasks.length)],
      [t('runSheetDoc.cash'), money(cod(tasks))],
    ],
    foot: (page) => t('runSheetDoc.foot', { page, rider, day }),
  }
}

/** Who is there; below it the address, the phone and what the sender has remarked. */
function describeDoor(to: Party | null): ReportRow['cells'][number] {
  if (!to) return '–'
  const { contactName, company, line1, line2, postcode, city, phone, remarks } = to
  const below = [line1, line2, `${postcode} ${city}`, formatPhone(phone), remarks]
  return [[contactName, company].filter(Boolean).join(' · '), below.filter(Boolean).join(' · ')]
}
