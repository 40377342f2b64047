/** The receipt of a sale at the counter: its number, content and prints. */
import type { Readable } from 'node:stream'
import { intlLocale } from '@waybill/contract/ground/constants'
import type { CashReceipt } from '@waybill/contract/payments/cash-receipts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import { asAccountId, type StaffCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { loadFonts } from '../../../lib/print/fonts.ts'
import { pdfStream } from '../../../lib/print/pdf.ts'
import { findStaffNames } from '../../accounts/service.ts'
import type { Language } from '../../orders/present.ts'
import { readSoldOrder, renderInvoiceOfOrder } from '../../orders/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { requireStation } from './drawer.ts'
import { layoutReceipt, rollWidthMm } from './layout-receipt.ts'
import { type CashMovementRow, countPrint, countSales, findSale, type ShiftRow } from './queries.ts'

/**
 * The next receipt number of a locked drawer, from station, day, the drawer's number and its sales on that day. The
 * lock prevents gaps and duplicates.
 */
export async function receiptNumber(trx: Tx, drawer: ShiftRow): Promise<string> {
  const { station_id, day, number } = drawer
  const station = (await findStationsById(trx, [station_id])).get(station_id)
  const serial = (await countSales(trx, drawer)) + 1
  return [station?.code ?? '', day.replaceAll('-', ''), number, String(serial).padStart(4, '0')].join('-')
}

/** The content of a receipt; `print` counts from 1. */
async function buildReceipt(
  db: DbOrTx,
  sale: CashMovementRow,
  { print, stationId }: { print: number; stationId: string },
  language: Language,
): Promise<CashReceipt> {
  if (!sale.account_id || !sale.order_id || !sale.receipt_number) throw new AppError('not_found')
  const [{ invoice, parcels }, stations, names] = await Promise.all([
    // Safe: staff serve every account, and the id comes from the sale itself.
    readSoldOrder(db, asAccountId(sale.account_id), sale.order_id, language),
    findStationsById(db, [stationId]),
    findStaffNames(db, [sale.created_by]),
  ])
  const station = stations.get(stationId)
  const cashGivenMinor = sale.given_minor ?? sale.amount_minor
  return {
    movementId: sale.id,
    number: sale.receipt_number,
    print,
    copy: print > 1,
    seller: invoice.seller,
    station: { code: station?.code ?? '–', name: station?.name ?? '–' },
    cashier: names.get(sale.created_by) ?? '–',
    at: sale.created_at.toISOString(),
    customer: invoice.buyer.name,
    orderNumber: invoice.orderNumber,
    invoiceNumber: invoice.number,
    lines: invoice.lines,
    parcels,
    netMinor: invoice.netMinor,
    taxMinor: invoice.taxMinor,
    totalMinor: invoice.totalMinor,
    roundedMinor: sale.amount_minor - invoice.totalMinor,
    cashMinor: sale.amount_minor,
    givenMinor: cashGivenMinor,
    changeMinor: cashGivenMinor - sale.amount_minor,
    currency: invoice.currency,
  }
}

/**
 * Prints the receipt of a sale at the caller's station. Every print after the first is marked as a copy. Throws
 * no_station, not_found.
 */
export async function printReceipt(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  language: Language,
  idempotency: Idempotency,
): Promise<CashReceipt> {
  return tx(deps.db, async (trx) => {
    const stationId = requireStation(caller)
    const sale = await countPrint(trx, stationId, id)
    if (!sale) throw new AppError('not_found')
    const receipt = await buildReceipt(trx, sale, { print: sale.receipt_prints, stationId }, language)
    await idempotency.keep(trx, receipt)
    return receipt
  })
}

/** A print of a receipt as PDF; null: a copy. Throws no_station, not_found (also for a print that never happened). */
export async function renderSaleReceipt(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  print: number | null,
  language: Language,
): Promise<{ number: string; pdf: Readable }> {
  const stationId = requireStation(caller)
  const sale = await findSale(deps.db, stationId, id)
  if (!sale || (print ?? 0) > sale.receipt_prints) throw new AppError('not_found')
  const receipt = await buildReceipt(
    deps.db,
    sale,
    { print: print ?? Math.max(2, sale.receipt_prints), stationId },
    language,
  )
  return { number: receipt.number, pdf: paper(deps, receipt, language) }
}

function paper({ settings, clock }: Deps, receipt: CashReceipt, { t, locale }: Language): Readable {
  const info = {
    title: `${t('receiptDoc.title')} ${receipt.number}`,
    author: receipt.seller.name,
    language: intlLocale(locale),
    createdAt: clock.now(),
  }
  const options = { t, locale, timeZone: settings.get('timezone'), dateTimeFormat: settings.get('format.dateTime') }
  async function* pages() {
    const { marks, heightMm } = layoutReceipt(await loadFonts(), receipt, options)
    yield { widthMm: rollWidthMm, heightMm, marks }
  }
  return pdfStream(info, pages())
}

/** The invoice of a sale at the caller's station, as a PDF. Throws no_station, not_found. */
export async function renderInvoiceOfSale(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  language: Language,
): Promise<{ number: string; pdf: Readable }> {
  const sale = await findSale(deps.db, requireStation(caller), id)
  if (!sale?.account_id || !sale.order_id) throw new AppError('not_found')
  // Safe: staff serve every account, and the id comes from the sale itself.
  return renderInvoiceOfOrder(deps, asAccountId(sale.account_id), sale.order_id, language)
}
