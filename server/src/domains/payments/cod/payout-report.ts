/** A payout as PDF or spreadsheet, with every parcel that it covers. */
import type { Readable } from 'node:stream'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { formatDate, formatMoney, fractionDigits } from '@waybill/contract/ground/format'
import { groupTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { printCodPayout } from '@waybill/contract/payments/cod'
import { inBatches } from '../../../db/batches.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError } from '../../../http/errors.ts'
import type { ReportRow } from '../../../lib/print/report-pdf.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { billingParty } from '../../accounts/service.ts'
import { orderNumbers } from '../../orders/pay-at-counter/service.ts'
import type { Language } from '../../orders/present.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { renderCompanyReport } from '../../settings/company-report.ts'
import { type CollectionRow, findPayout, listCollectionsOfPayout, type PayoutRow } from './queries.ts'

const batch = 1_000

/**
 * One payout as a document. `caller` null: for staff, of any sender. A customer sees the numbers only of parcels that
 * they may see. Throws not_found, also for another customer's.
 */
export async function renderPayout(
  deps: Deps,
  caller: CustomerCaller | null,
  id: string,
  { format }: QueryOf<typeof printCodPayout>,
  language: Language,
): Promise<{ name: string; file: Readable }> {
  const row = await findPayout(deps.db, caller?.accountId ?? null, id)
  if (!row) throw new AppError('not_found')
  const name = `${row.number}.${format}`
  const createdBy = caller && onlyCreatedBy(caller)
  const parcels = inBatches((after: CollectionRow | null) =>
    listCollectionsOfPayout(deps.db, row, createdBy, after, batch),
  )
  const fee = await nameFee(deps, row, language)
  if (format !== 'pdf') return { name, file: spreadsheet(deps, { row, fee, format }, parcels, language) }
  const holder = await billingParty(deps.db, row.account_id)
  return { name, file: document(deps, { row, fee, holder: holder.name }, parcels, language) }
}

/** The label of the fee, with the order that its invoice belongs to. */
async function nameFee({ db }: Deps, row: PayoutRow, { t }: Language): Promise<string> {
  const orderId = row.fee_order_id
  const numbers = await orderNumbers(db, row.account_id, orderId ? [orderId] : [])
  const [text, detail] = [t('codDoc.fee'), numbers.get(orderId ?? '')]
  return detail ? t('phrase.detail', { text, detail }) : text
}

function spreadsheet(
  { settings }: Deps,
  { row, fee, format }: { row: PayoutRow; fee: string; format: 'xlsx' | 'csv' },
  parcels: AsyncIterable<CollectionRow>,
  { t }: Language,
): Readable {
  const columns: SheetColumn[] = [
    { header: t('codDoc.collectedAt'), kind: 'time' },
    { header: t('codDoc.parcel'), kind: 'text', width: 24 },
    { header: t('phrase.detail', { text: t('codDoc.amount'), detail: row.currency }), kind: 'money' },
  ]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    for await (const parcel of parcels) yield [parcel.collected_at, parcel.tracking_number ?? '–', parcel.amount_minor]
    if (row.fee_minor > 0) yield [null, fee, -row.fee_minor]
    yield [null, t('codDoc.paid'), row.collected_minor - row.fee_minor]
  }
  const moneyDecimals = fractionDigits(row.currency)
  return writeSheet(format, rows(), { name: row.number, columns, timeZone: settings.get('timezone'), moneyDecimals, t })
}

function document(
  deps: Deps,
  { row, fee, holder }: { row: PayoutRow; fee: string; holder: string },
  parcels: AsyncIterable<CollectionRow>,
  { t, locale }: Language,
): Readable {
  const { settings } = deps
  const money = (minor: number) => formatMoney(minor, row.currency, locale)
  const zone = settings.get('timezone')
  async function* rows(): AsyncGenerator<ReportRow> {
    for await (const parcel of parcels)
      yield {
        cells: [
          formatDate(parcel.collected_at.toISOString(), zone, settings.get('format.dateTime'), locale),
          groupTrackingNumber(parcel.tracking_number ?? '–'),
          money(parcel.amount_minor),
        ],
      }
  }
  const title = t('codDoc.title')
  const paid = money(row.collected_minor - row.fee_minor)
  return renderCompanyReport(deps, locale, {
    title,
    subtitle: row.number,
    reference: row.number,
    facts: [
      [t('codDoc.sender'), holder],
      [t('codDoc.day'), formatDate(row.created_at.toISOString(), zone, settings.get('format.date'), locale)],
      [t('codDoc.parcels'), String(row.parcel_count)],
      [t('codDoc.paid'), paid],
    ],
    columns: [
      { header: t('codDoc.collectedAt'), width: 44 },
      { header: t('codDoc.parcel') },
      { header: t('codDoc.amount'), width: 40, align: 'right' },
    ],
    rows: rows(),
    empty: '–',
    closing: () => [
      [t('codDoc.collected'), money(row.collected_minor)],
      ...(row.fee_minor > 0 ? ([[fee, money(-row.fee_minor)]] as const) : []),
      [t('codDoc.paid'), paid],
    ],
    foot: (page) => t('codDoc.foot', { page, number: row.number }),
  })
}
