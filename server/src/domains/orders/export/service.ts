/** Export of orders. */
import type { Readable } from 'node:stream'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { paymentCode } from '@waybill/contract/ground/enums/enums'
import { fractionDigits } from '@waybill/contract/ground/format'
import type { exportOrders } from '@waybill/contract/orders/orders'
import { readBatches } from '../../../db/batches.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { dayIn } from '../../../lib/clock.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import type { Language } from '../present.ts'
import { orderFilter, orderStatusText } from '../rules.ts'
import { type ExportedOrder, exportBatch } from './queries.ts'

const moment = (microseconds: number) => new Date(microseconds / 1000)

/** Rows per batch. Rows of a larger one outlive a collection of the new objects, so that an export fills the heap. */
const batch = 500

/**
 * The account's orders as a spreadsheet, newest first, with the filters of the list. It is streamed in batches, so
 * that a year of a large account takes no more memory than a day. Money columns are in the deployment's currency, tax
 * as invoiced.
 */
export function ordersSheet(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof exportOrders>,
  language: Language,
): { name: string; sheet: Readable } {
  const { settings, clock, db } = deps
  const { t } = language
  const currency = settings.get('currency')
  const timeZone = settings.get('timezone')
  const columns: SheetColumn[] = [
    { header: t('ordersPage.number'), kind: 'text', width: 16 },
    { header: t('ordersPage.created'), kind: 'time' },
    { header: t('fields.status'), kind: 'text', width: 18 },
    { header: t('ordersPage.method'), kind: 'text', width: 22 },
    { header: t('ordersPage.parcels'), kind: 'number', width: 10 },
    { header: t('phrase.detail', { text: t('cart.total'), detail: currency }), kind: 'money' },
    { header: t('phrase.detail', { text: t('price.line.tax'), detail: currency }), kind: 'money' },
    { header: t('phrase.detail', { text: t('ordersPage.paidAmount'), detail: currency }), kind: 'money' },
    { header: t('phrase.detail', { text: t('ordersPage.refunded'), detail: currency }), kind: 'money' },
    { header: t('phrase.detail', { text: t('refund.status.requested'), detail: currency }), kind: 'money' },
    { header: t('ordersPage.paidAt'), kind: 'time' },
    { header: t('ordersPage.invoice'), kind: 'text', width: 18 },
  ]
  const filter = orderFilter(query, onlyCreatedBy(caller), timeZone)
  const cells = (row: ExportedOrder): SheetValue[] => [
    row.number,
    moment(row.created_us),
    orderStatusText(row, language),
    row.payment_method && paymentCode(row.payment_method),
    row.parcel_count,
    row.total_minor,
    row.tax_minor,
    row.paid_minor,
    row.refunded_minor - row.refund_pending_minor,
    row.refund_pending_minor,
    row.paid_us === null ? null : moment(row.paid_us),
    row.invoice_number,
  ]
  async function* batches(): AsyncGenerator<SheetValue[][]> {
    const read = (after: ExportedOrder | null) => exportBatch(db, caller.accountId, filter, after, batch)
    for await (const orders of readBatches(read)) yield orders.map(cells)
  }
  const options = { name: t('ordersPage.title'), columns, timeZone, moneyDecimals: fractionDigits(currency), t }
  return {
    name: `orders-${dayIn(clock.now(), timeZone)}.${query.format}`,
    sheet: writeSheet(query.format, { batches: batches() }, options),
  }
}
