/** Interprets the rows of `account_figures` for widgets and the to-do list. Pure: reads nothing. */

import { type WidgetData, type WidgetKind, widgetPeriods, widgetRows } from '@waybill/contract/dashboard/widgets'
import { addDays, addMonths, listDays } from '@waybill/contract/ground/days'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import {
  type ParcelStatus,
  type TrackingStatus,
  trackingStatusLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import { isDelivered } from '@waybill/contract/ground/status/parcel-status'
import { toTrackingStatus } from '../parcels/status.ts'
import type { Figure, Metric } from './queries-figures.ts'

/** The first day of the month that is `count` months before that of a day. */
export const monthStart = (day: string, count = 0): string => `${addMonths(day, -count)}-01`

/** The days of a period that ends with `today`, oldest first. */
const daysUntil = (today: string, count: number) => listDays(addDays(today, 1 - count), count)

type Since = Partial<Record<Metric, string>>

/** The figures that each kind needs, and their first day. */
function figuresOfKind(kind: WidgetKind, today: string): Since {
  const month = addDays(today, 1 - widgetPeriods.days)
  if (kind === 'parcels_per_day') return { created: month, ended: month }
  if (kind === 'parcels_by_status') return { ended: month }
  if (kind === 'on_time') return { ended: addDays(today, 1 - 7 * widgetPeriods.weeks) }
  if (kind === 'top_destinations') return { sent: monthStart(today, 1) }
  if (kind === 'spend_by_month') return { spent: monthStart(today, widgetPeriods.months - 1) }
  return {}
}

/**
 * The figures that these kinds need together, each from the earliest day needed. Those of open parcels are always
 * included.
 */
export function neededFigures(kinds: readonly WidgetKind[], today: string): Since {
  const since: Since = { open: '1970-01-01' }
  for (const kind of kinds) {
    for (const [metric, day] of Object.entries(figuresOfKind(kind, today)) as [Metric, string][]) {
      const earliest = since[metric]
      if (earliest === undefined || day < earliest) since[metric] = day
    }
  }
  return since
}

/** `completed:late` -> `completed`. */
const readStatus = ({ label }: Figure) => (label.split(':')[0] ?? '') as ParcelStatus
const sum = (figures: readonly Figure[]) => figures.reduce((total, { count }) => total + count, 0)

/** The number of open parcels in these statuses. */
export const countOpen = (figures: readonly Figure[], ...statuses: ParcelStatus[]) =>
  sum(figures.filter((figure) => figure.metric === 'open' && statuses.includes(readStatus(figure))))

/** Parcels with an amount due, and the amount. */
export function outstandingFrom(figures: readonly Figure[]): { parcels: number; dueMinor: number } {
  const open = figures.filter((figure) => figure.metric === 'open' && readStatus(figure) === 'outstanding')
  return { parcels: sum(open), dueMinor: open.reduce((total, { amount_minor }) => total + amount_minor, 0) }
}

const countsDelivered = (figure: Figure) => figure.metric === 'ended' && isDelivered(readStatus(figure))

export function perDayFrom(figures: readonly Figure[], today: string): WidgetData['parcels_per_day'] {
  const byDay = (part: readonly Figure[]) => Map.groupBy(part, ({ period }) => period)
  const created = byDay(figures.filter(({ metric }) => metric === 'created'))
  const delivered = byDay(figures.filter(countsDelivered))
  return {
    days: daysUntil(today, widgetPeriods.days).map((day) => ({
      day,
      created: sum(created.get(day) ?? []),
      delivered: sum(delivered.get(day) ?? []),
    })),
  }
}

export function byStatusFrom(figures: readonly Figure[], today: string): WidgetData['parcels_by_status'] {
  const since = addDays(today, 1 - widgetPeriods.days)
  const statuses = labelValues(trackingStatusLabels)
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<TrackingStatus, number>
  for (const figure of figures) {
    if (figure.metric !== 'open' && !(figure.metric === 'ended' && figure.period >= since)) continue
    counts[toTrackingStatus(readStatus(figure), figure.label.endsWith(':held'))] += figure.count
  }
  return { byTrackingStatus: counts }
}

export function onTimeFrom(figures: readonly Figure[], today: string): WidgetData['on_time'] {
  const delivered = figures.filter(countsDelivered)
  const count = (part: readonly Figure[], end: ':on_time' | ':late') =>
    sum(part.filter(({ label }) => label.endsWith(end)))
  const weeks = Array.from({ length: widgetPeriods.weeks }, (_, n) => {
    const from = addDays(today, 1 - 7 * (widgetPeriods.weeks - n))
    const until = addDays(from, 7)
    const week = delivered.filter(({ period }) => period >= from && period < until)
    return { from, onTime: count(week, ':on_time'), late: count(week, ':late') }
  })
  return {
    onTime: weeks.reduce((total, { onTime }) => total + onTime, 0),
    late: weeks.reduce((total, { late }) => total + late, 0),
    weeks,
  }
}

export function destinationsFrom(figures: readonly Figure[], today: string): WidgetData['top_destinations'] {
  const since = monthStart(today, 1)
  const parcels = figures.filter(({ metric, period }) => metric === 'sent' && period >= since)
  const destinations = [...Map.groupBy(parcels, ({ label }) => label)]
    .map(([label, part]) => {
      const [country = '', state] = label.split(':')
      return { country, state: state || null, parcels: sum(part) }
    })
    .filter(({ parcels }) => parcels > 0)
    .sort((a, b) => b.parcels - a.parcels || (a.state ?? a.country).localeCompare(b.state ?? b.country))
  return { since, total: sum(parcels), destinations: destinations.slice(0, widgetRows.destinations) }
}

export function spendByMonthFrom(figures: readonly Figure[], today: string): WidgetData['spend_by_month']['months'] {
  const spent = figures.filter(({ metric }) => metric === 'spent')
  return Array.from({ length: widgetPeriods.months }, (_, n) => {
    const start = monthStart(today, widgetPeriods.months - 1 - n)
    const month = spent.filter(({ period }) => period === start)
    return {
      month: start.slice(0, 7),
      orders: sum(month),
      amountMinor: month.reduce((total, { amount_minor }) => total + amount_minor, 0),
    }
  })
}
