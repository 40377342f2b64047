/** The report of orders as PDF and as a spreadsheet, streamed in batches. */
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { paymentCode, paymentMethodForFilter, paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import { orderStatusLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { formatDate, formatDay, formatMoney, formatNumber, fractionDigits } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { exportOrderReport, OrderSums, printOrderReport } from '@waybill/contract/reports/orders'
import { inBatches } from '../../../db/batches.ts'
import type { Deps } from '../../../deps.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { billingParty } from '../../accounts/service.ts'
import { ordersAfter } from '../../orders/export/report.ts'
import { orderStatusText } from '../../orders/rules.ts'
import { renderCompanyReport } from '../../settings/company-report.ts'
import { addSums, type ReportReader, type ReportScope, reportScope } from './service.ts'

type Language = { locale: Locale; t: Translate }
type Document = { name: string; file: Readable }
/** Called after each written row. */
type OnRow = () => Promise<void>
type Row = Awaited<ReturnType<typeof ordersAfter>>[number]

const batch = 2_000

/**
 * The orders of the report, newest first. `totals` grows with each order, so that the totals of a document always
 * match its rows, even if orders change meanwhile.
 */
function reportRows({ db }: Deps, { accountId }: ReportReader, { filter }: ReportScope, onRow?: OnRow) {
  let totals: OrderSums = addSums([])
  async function* read(): AsyncGenerator<Row> {
    for await (const row of inBatches((after: Row | null) => ordersAfter(db, accountId, filter, after, batch))) {
      const { parcel_count, total_minor, paid_minor, refunded_minor } = row
      totals = addSums([
        totals,
        {
          orders: 1,
          parcels: parcel_count,
          totalMinor: total_minor,
          paidMinor: paid_minor,
          refundedMinor: refunded_minor,
          spentMinor: paid_minor - refunded_minor,
        },
      ])
      yield row
      await onRow?.()
    }
  }
  return { rows: read(), totals: () => totals }
}

const fileName = ({ period }: ReportScope, extension: string) => `orders-${period.from}-${period.to}.${extension}`

/** The report as a spreadsheet with a last row of totals. Money is in the deployment's currency. */
export async function orderReportSheet(
  deps: Deps,
  reader: ReportReader,
  { format, ...filters }: QueryOf<typeof exportOrderReport>,
  language: Language,
  onRow?: OnRow,
): Promise<Document> {
  const { settings } = deps
  const { t } = language
  const scope = await reportScope(deps, reader, filters)
  const currency = settings.get('currency')
  const money = (header: string): SheetColumn => ({
    header: t('phrase.detail', { text: header, detail: currency }),
    kind: 'money',
  })
  const columns: SheetColumn[] = [
    { header: t('ordersPage.number'), kind: 'text', width: 16 },
    { header: t('ordersPage.created'), kind: 'time' },
    { header: t('fields.createdBy'), kind: 'text' },
    { header: t('fields.costCentre'), kind: 'text', width: 16 },
    { header: t('fields.status'), kind: 'text', width: 18 },
    { header: t('ordersPage.method'), kind: 'text', width: 22 },
    { header: t('ordersPage.parcels'), kind: 'number', width: 10 },
    money(t('cart.total')),
    money(t('ordersPage.paidAmount')),
    money(t('ordersPage.refunded')),
    money(t('reports.spent')),
  ]
  const orders = reportRows(deps, reader, scope, onRow)
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const row of orders.rows) {
      const user = scope.users.get(row.created_by)
      yield [
        row.number,
        row.created_at,
        user?.name,
        user?.costCentre,
        orderStatusText(row, language),
        row.payment_method && paymentCode(row.payment_method),
        row.parcel_count,
        row.total_minor,
        row.paid_minor,
        row.refunded_minor,
        row.paid_minor - row.refunded_minor,
      ]
    }
    const { parcels, totalMinor, paidMinor, refundedMinor, spentMinor } = orders.totals()
    const sums = [parcels, totalMinor, paidMinor, refundedMinor, spentMinor]
    yield [t('reports.totals'), null, null, null, null, null, ...sums]
  }
  const options = {
    name: t('reports.title'),
    columns,
    timeZone: settings.get('timezone'),
    moneyDecimals: fractionDigits(currency),
    t,
  }
  return { name: fileName(scope, format), file: writeSheet(format, rows(), options) }
}

/** The report as a PDF, drawn page by page while the orders are read. */
export async function orderReportPdf(
  deps: Deps,
  reader: ReportReader,
  filters: QueryOf<typeof printOrderReport>,
  language: Language,
  onRow?: OnRow,
): Promise<Document> {
  const { settings, clock } = deps
  const { locale, t } = language
  const scope = await reportScope(deps, reader, filters)
  const holder = await billingParty(deps.db, reader.accountId)
  const currency = settings.get('currency')
  const [timeZone, pattern] = [settings.get('timezone'), settings.get('format.date')]
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const time = (at: Date) => formatDate(at.toISOString(), timeZone, settings.get('format.dateTime'), locale)
  const [from, to] = [scope.period.from, scope.period.to].map((day) => formatDay(day, pattern, locale))
  const period = t('reports.period', { from, to })
  const orders = reportRows(deps, reader, scope, onRow)
  async function* rows() {
    for await (const row of orders.rows) {
      const status = orderStatusText(row, language)
      const method = row.payment_method && enumLabel(paymentMethodLabels, row.payment_method, locale)
      const user = scope.users.get(row.created_by)?.name ?? ''
      const cells: (string | readonly [string, string])[] = [
        [row.number, time(row.created_at)],
        method ? [status, method] : status,
        user,
        formatNumber(row.parcel_count, locale),
        money(row.total_minor),
        money(row.paid_minor - row.refunded_minor),
      ]
      yield { cells }
    }
  }
  const file = renderCompanyReport(deps, locale, {
    title: t('reports.title'),
    subtitle: period,
    reference: period,
    facts: [
      [t('reports.account'), holder.name],
      ...describeFilters(scope, filters, { locale, t }),
      [t('statement.made'), time(clock.now())],
    ],
    columns: [
      { header: t('ordersPage.number'), width: 38 },
      { header: t('fields.status') },
      { header: t('fields.createdBy'), width: 34 },
      { header: t('ordersPage.parcels'), width: 16, align: 'right' },
      { header: t('cart.total'), width: 27, align: 'right' },
      { header: t('reports.spent'), width: 27, align: 'right' },
    ],
    rows: rows(),
    empty: t('reports.empty'),
    closing: () => {
      const sums = orders.totals()
      return [
        [t('reports.orders'), formatNumber(sums.orders, locale)],
        [t('ordersPage.parcels'), formatNumber(sums.parcels, locale)],
        [t('cart.total'), money(sums.totalMinor)],
        [t('ordersPage.paidAmount'), money(sums.paidMinor)],
        [t('ordersPage.refunded'), money(-sums.refundedMinor)],
        [t('reports.spent'), money(sums.spentMinor)],
      ]
    },
    foot: (page) => t('reports.foot', { page, period }),
  })
  return { name: fileName(scope, 'pdf'), file }
}

/** The filters as text, for the head of the document. */
function describeFilters(
  { users }: ReportScope,
  { status, serviceType, paymentMethod, createdBy }: QueryOf<typeof printOrderReport>,
  { locale, t }: Language,
): [string, string][] {
  const facts: [string, string][] = []
  if (status) facts.push([t('fields.status'), enumLabel(orderStatusLabels, status, locale)])
  if (serviceType) facts.push([t('fields.serviceType'), enumLabel(serviceTypeLabels, serviceType, locale)])
  if (paymentMethod) {
    const method = paymentMethodForFilter(paymentMethod)
    facts.push([t('ordersPage.method'), enumLabel(paymentMethodLabels, method, locale)])
  }
  const user = createdBy && users.get(createdBy)
  if (user) facts.push([t('fields.createdBy'), user.name])
  return facts
}
