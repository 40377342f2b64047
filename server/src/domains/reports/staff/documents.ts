/** The report of the deployment as a spreadsheet. */
import type { Readable } from 'node:stream'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { Translate } from '@waybill/contract/ground/validation'
import type { OrderSums } from '@waybill/contract/reports/orders'
import type { exportDeploymentReport } from '@waybill/contract/reports/staff'
import type { Deps } from '../../../deps.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { readRevenue } from './service.ts'

/** A row for each day or month of the period, and one with the totals. Throws validation as `readRevenue`. */
export async function deploymentSheet(
  deps: Deps,
  { format, ...query }: QueryOf<typeof exportDeploymentReport>,
  t: Translate,
): Promise<{ name: string; file: Readable }> {
  const { from, to, step, figures, totals } = await readRevenue(deps, query)
  const currency = deps.settings.get('currency')
  const money = (header: string): SheetColumn => ({ header: `${header} (${currency})`, kind: 'money' })
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
    for (const { start, ...sums } of figures) yield cells(step === 'month' ? start.slice(0, 7) : start, sums)
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
  }
  return { name: `revenue-${from}-${to}.${format}`, file: writeSheet(format, rows(), options) }
}
