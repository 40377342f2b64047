// The run sheet of a rider: the day's stops on paper, by postcode and street.
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
import { validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { formatPhone } from '../../../lib/phone.ts'
import type { ReportRow } from '../../../lib/print/report-pdf.ts'
import { findStaffNames } from '../../accounts/service.ts'
import { type CompanyReport, renderCompanyReports } from '../../settings/company-report.ts'
import { findStationsById } from '../../stations/service.ts'
import { listDeliveryTaskRows, type TaskWithParcel } from './queries-deliveries.ts'
import { findVisited, toTaskFilter } from './rider-tasks.ts'
import { codStillDue } from './rules.ts'

/** More than the riders of a station have. Staff without a station may ask for the whole network. */
const maxTasks = 10_000

type Language = { t: Translate; locale: Locale }

/** One door, with all parcels for it. */
export type Stop = { to: Party | null; tasks: TaskWithParcel[] }

/** The number of a house or lot before its street: "12", "12A", "No. 12,", "12-3A,", "B-12-3", "Lot 5"; not "1st". */
const houseNumber = /^(?:(?:no|lot|unit)[.\s]*)?((?:[a-z]-)?\d+[a-z]?(?:[-/]\d+[a-z]?)*)\b[\s,.]*/i

/** What stops are sorted by. Without a street behind the number, `line2` has it. */
function toStreet({ postcode, line1, line2 }: Party): string[] {
  const [start = '', number = ''] = houseNumber.exec(line1) ?? []
  return [postcode, line1.slice(start.length) || (line2 ?? ''), number]
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The stops of a rider by postcode, street and house number: parcels to one person at one door are one stop. */
export function toStops(tasks: readonly TaskWithParcel[]): Stop[] {
  const doors = Map.groupBy(tasks, (task) => {
    const to = findVisited(task)
    return to ? doorKey(to) : task.id
  })
  const stops = [...doors].map(([key, group]) => {
    const to = findVisited(group[0] as TaskWithParcel)
    return { to, tasks: group, order: [...(to ? toStreet(to) : []), key] }
  })
  const compareStops = (one: readonly string[], other: readonly string[]) =>
    one.map((part, n) => compare(part, other[n] ?? '')).find((difference) => difference !== 0) ?? 0
  return stops.sort((one, other) => compareStops(one.order, other.order)).map(({ to, tasks }) => ({ to, tasks }))
}

/**
 * The run sheets of the caller, or of all riders of a station: a sheet for each, from page 1. Throws
 * task_other_station; validation without a station if the whole network has too many tasks.
 */
export async function renderRunSheets(
  deps: Deps,
  caller: StaffCaller,
  query: QueryOf<typeof printRunSheet>,
  language: Language,
): Promise<{ name: string; pdf: Readable }> {
  const filter = toTaskFilter(caller, query, null)
  // One query: between pages by offset, a task that ends would move another one off the sheet.
  const { rows: tasks } = await listDeliveryTaskRows(deps.db, filter, { offset: 0, limit: maxTasks + 1 })
  if (tasks.length > maxTasks) throw validationError({ field: 'stationId', rule: 'required' })
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
  const getCod = (task: TaskWithParcel) => codStillDue({ ...task, status: task.parcel_status }) ?? 0
  const sumCod = (each: readonly TaskWithParcel[]) => each.reduce((sum, task) => sum + getCod(task), 0)
  const stops = toStops(tasks)
  const day = formatDay(sheet.day, settings.get('format.date'), locale)
  const rows = stops.map(({ to, tasks: parcels }, n): ReportRow => {
    const numbers = parcels.map((task) => keepTogether(groupTrackingNumber(task.tracking_number)))
    const amounts = parcels.map(getCod)
    const isSummed = amounts.filter((amount) => amount > 0).length > 1
    const hasCash = sumCod(parcels) > 0
    return {
      cells: [
        String(n + 1),
        describeDoor(to),
        { lines: isSummed ? [...numbers, t('cashPage.total')] : numbers },
        // Each amount is next to its parcel: the sum does not say which parcel is handed over for which amount.
        {
          lines: hasCash
            ? [...amounts.map((amount) => (amount > 0 ? money(amount) : '–')), isSummed ? money(sumCod(parcels)) : '']
            : [],
        },
        '',
      ],
    }
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
    rowHeight: signatureHeight,
    empty: t('runSheetDoc.empty'),
    closing: () => [
      [t('runSheetDoc.stops'), String(stops.length)],
      [t('runSheetDoc.parcels'), String(tasks.length)],
      [t('runSheetDoc.cash'), money(sumCod(tasks))],
    ],
    foot: (page) => t('runSheetDoc.foot', { page, rider, day }),
  }
}

/** The space for a name and a signature in millimetres. */
const signatureHeight = 15

/** A number that no line separates. */
const keepTogether = (text: string) => text.replaceAll(' ', '\u00a0')

/** Who is there; below it the address with the phone, and what the sender has remarked. */
function describeDoor(to: Party | null): ReportRow['cells'][number] {
  if (!to) return '–'
  const { contactName, company, line1, line2, postcode, city, phone, remarks } = to
  const address = [line1, line2, keepTogether(`${postcode} ${city}`), keepTogether(formatPhone(phone))]
  return [joinParts([contactName, company]), joinParts(address), remarks ?? '']
}

/** No line begins with the dot. */
const joinParts = (parts: readonly (string | null)[]) => parts.filter(Boolean).join('\u00a0· ')
