/** The report of the deployment as a spreadsheet and as a PDF. */
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatDay, formatMoney, formatNumber, fractionDigits } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { OrderSums } from '@waybill/contract/reports/orders'
import type { exportDeploymentReport, reportDeployment } from '@waybill/contract/reports/staff'
import type { Deps } from '../../../deps.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { renderCompanyReport } from '../../settings/company-report.ts'
import { readDeploymentReport, readRevenue } from './service.ts'

type Document = { name: string; file: Readable }
/** Called after each written row. */
type OnRow = () => Promise<void>

/**
 * A row for each day or month of the period, and one with the totals. Throws the validation errors of `readRevenue`.
 */
export async function deploymentSheet(
  deps: Deps,
  { format, ...query }: QueryOf<typeof exportDeploymentReport>,
  t: Translate,
  onRow?: OnRow,
): Promise<Document> {
  const { from, to, step, figures, totals } = await readRevenue(deps, query)
  const currency = deps.settings.get('currency')
  const money = (header: string): SheetColumn => ({
    header: t('phrase.detail', { text: header, detail: currency }),
    kind: 'money',
  })
  const cells = (start: string, sums: OrderSums): SheetValue[] => [
    start,
    sums.orders,
    sums.parcels,
    sums.totalMinor,
    sums.paidMinor,
    sums.refundedMinor,
    sums.spentMinor,
  ]
  async function* rows() {
    for (const { start, ...sums } of figures) {
      yield cells(step === 'month' ? start.slice(0, 7) : start, sums)
      await onRow?.()
    }
    yield cells(t('reports.totals'), totals)
  }
  const options = {
    name: t('staffReport.title'),
    columns: [
      { header: t(step === 'month' ? 'staffReport.month' : 'staffReport.day'), kind: 'text' as const, width: 16 },
      { header: t('reports.orders'), kind: 'number' as const, width: 12 },
      { header: t('reports.parcels'), kind: 'number' as const, width: 12 },
      money(t('cart.total')),
      money(t('ordersPage.paidAmount')),
      money(t('ordersPage.refunded')),
      money(t('staffReport.revenue')),
    ],
    timeZone: deps.settings.get('timezone'),
    moneyDecimals: fractionDigits(currency),
    t,
  }
  return { name: `revenue-${from}-${to}.${format}`, file: writeSheet(format, rows(), options) }
}

type Facts = [caption: string, value: string][]

/** The figures by day or month, then service, amounts due now, and totals. Throws validation as above. */
export async function deploymentPdf(
  deps: Deps,
  query: QueryOf<typeof reportDeployment>,
  { locale, t }: { locale: Locale; t: Translate },
  onRow?: OnRow,
): Promise<Document> {
  const { settings, clock } = deps
  const report = await readDeploymentReport(deps, query)
  const { from, to, step, figures, totals } = report
  const [timeZone, pattern] = [settings.get('timezone'), settings.get('format.date')]
  const money = (minor: number) => formatMoney(minor, report.currency, locale)
  const count = (value: number) => formatNumber(value, locale)
  const day = (value: string) => formatDay(value, pattern, locale)
  const period = t('reports.period', { from: day(from), to: day(to) })
  async function* rows() {
    for (const { start, orders, parcels, totalMinor, refundedMinor, spentMinor } of figures) {
      const first = step === 'month' ? start.slice(0, 7) : day(start)
      const cells = [first, count(orders), count(parcels), money(totalMinor), money(refundedMinor), money(spentMinor)]
      yield { cells }
      await onRow?.()
    }
  }
  const file = renderCompanyReport(deps, locale, {
    title: t('staffReport.title'),
    subtitle: period,
    reference: period,
    facts: [
      [t('statement.made'), formatDate(clock.now().toISOString(), timeZone, settings.get('format.dateTime'), locale)],
    ],
    columns: [
      { header: t(step === 'month' ? 'staffReport.month' : 'staffReport.day') },
      { header: t('reports.orders'), width: 20, align: 'right' },
      { header: t('reports.parcels'), width: 20, align: 'right' },
      { header: t('cart.total'), width: 34, align: 'right' },
      { header: t('ordersPage.refunded'), width: 34, align: 'right' },
      { header: t('staffReport.revenue'), width: 34, align: 'right' },
    ],
    rows: rows(),
    empty: t('reports.empty'),
    closing: () => [
      ...describeService(report, { locale, t }),
      [t('staffReport.cod'), money(report.cod.owedMinor)],
      [t('staffReport.ageing'), money(Object.values(report.ageing).reduce((sum, minor) => sum + minor, 0))],
      [t('reports.orders'), count(totals.orders)],
      [t('reports.parcels'), count(totals.parcels)],
      [t('ordersPage.paidAmount'), money(totals.paidMinor)],
      [t('ordersPage.refunded'), money(-totals.refundedMinor)],
      [t('staffReport.revenue'), money(totals.spentMinor)],
    ],
    furtherTables: [
      {
        title: t('staffReport.late'),
        columns: [
          { header: t('stations.station') },
          { header: t('reports.parcels'), width: 30, align: 'right' },
          { header: t('staffReport.oldestDay'), width: 50, align: 'right' },
        ],
        rows: report.lateByStation.map(({ name, parcels, oldestDay }) => ({
          cells: [name ?? t('staffReport.noStation'), count(parcels), day(oldestDay)],
        })),
        empty: t('staffReport.nothingLate'),
      },
    ],
    foot: (page) => t('reports.foot', { page, period }),
  })
  return { name: `revenue-${from}-${to}.pdf`, file }
}

/** Deliveries of the period compared with their promised days, and parcels that are late now. */
function describeService(
  { service: { totals }, lateByStation }: ResponseOf<typeof reportDeployment>,
  { locale, t }: { locale: Locale; t: Translate },
): Facts {
  const count = (value: number) => formatNumber(value, locale)
  const share = (part: number, whole: number) =>
    whole === 0 ? '–' : t('reports.percent', { percent: count(Math.round((part / whole) * 1000) / 10) })
  const late = lateByStation.reduce((sum, { parcels }) => sum + parcels, 0)
  return [
    [t('reports.delivered'), count(totals.delivered)],
    [t('reports.kept'), share(totals.onTime, totals.onTime + totals.late)],
    [t('reports.firstAttempt'), share(totals.firstAttempt, totals.attempted)],
    [t('staffReport.lateNow'), count(late)],
  ]
}
