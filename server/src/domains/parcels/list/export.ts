// The parcels list as a spreadsheet.
import type { Readable } from 'node:stream'
import type { Locale } from '@waybill/contract/ground/constants'
import type { QueryOf } from '@waybill/contract/ground/endpoint'
import { carrierLabels, paymentCode } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import {
  deliveryModeLabels,
  parcelStatusLabels,
  scopeLabels,
  serviceTypeLabels,
} from '@waybill/contract/ground/enums/parcel-enums'
import { fractionDigits } from '@waybill/contract/ground/format'
import { statusLabel } from '@waybill/contract/ground/status/status-label'
import type { Translate } from '@waybill/contract/ground/validation'
import type { exportParcels } from '@waybill/contract/parcels/list'
import { inBatches } from '../../../db/batches.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { dayIn } from '../../../lib/clock.ts'
import { weightCell } from '../../../lib/sheet/weight.ts'
import { type SheetColumn, type SheetValue, writeSheet } from '../../../lib/sheet/write.ts'
import { addCartShares, paidPrice } from '../cart/share-pickup.ts'
import { type ExportedParcel, exportBatch } from './queries-list.ts'
import { findWaitingForApproval, parcelFilter, searchFilter } from './reads.ts'

type Row = ExportedParcel & { waitsForApproval: boolean }

/** Rows per query. */
const batch = 500

/**
 * The parcels that the list shows with the same query, as a spreadsheet, newest first. It is streamed batch by batch.
 * Weights are in kilograms, money in the currency of the settings.
 */
export function parcelsSheet(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof exportParcels>,
  { locale, t }: { locale: Locale; t: Translate },
): { name: string; sheet: Readable } {
  const { settings, clock, db } = deps
  const currency = settings.get('currency')
  const timeZone = settings.get('timezone')
  const weightUnit = settings.get('units.weight')
  const text = (header: string, width: number): SheetColumn => ({ header, kind: 'text', width })
  const money = (header: string): SheetColumn => ({
    header: t('phrase.detail', { text: header, detail: currency }),
    kind: 'money',
  })
  const columns: SheetColumn[] = [
    text(t('fields.trackingNumber'), 18),
    text(t('fields.reference'), 18),
    text(t('fields.status'), 22),
    { header: t('parcelsPage.created'), kind: 'time' },
    text(t('fields.scope'), 14),
    text(t('fields.serviceType'), 16),
    text(t('fields.deliveryMode'), 20),
    text(t('fields.carrier'), 14),
    text(t('fields.sender'), 24),
    text(t('fields.receiver'), 24),
    text(t('fields.phone'), 18),
    text(t('fields.line1'), 30),
    text(t('fields.line2'), 20),
    text(t('fields.postcode'), 10),
    text(t('fields.city'), 18),
    text(t('fields.state'), 18),
    text(t('fields.country'), 8),
    text(t('fields.contentDescription'), 24),
    { header: t('phrase.detail', { text: t('fields.weightGrams'), detail: weightUnit }), kind: 'number', width: 12 },
    money(t('fields.codAmountMinor')),
    money(t('parcelsPage.price')),
    money(t('parcelsPage.due')),
    text(t('ordersPage.method'), 22),
    { header: t('parcelsPage.lastEvent'), kind: 'time' },
  ]
  const cells = (row: Row): SheetValue[] => [
    row.tracking_number,
    row.reference,
    row.waitsForApproval ? t('approvals.waitsTitle') : statusLabel(parcelStatusLabels, row.status, row.leg, locale),
    row.created_at,
    enumLabel(scopeLabels, row.scope, locale),
    row.service_type && enumLabel(serviceTypeLabels, row.service_type, locale),
    row.delivery_mode && enumLabel(deliveryModeLabels, row.delivery_mode, locale),
    row.carrier && enumLabel(carrierLabels, row.carrier, locale),
    row.sender?.contactName ?? null,
    row.receiver?.contactName ?? null,
    row.receiver?.phone ?? null,
    row.receiver?.line1 ?? null,
    row.receiver?.line2 ?? null,
    row.receiver?.postcode ?? null,
    row.receiver?.city ?? null,
    row.receiver?.state ?? null,
    row.receiver?.country.toUpperCase() ?? null,
    row.content_description,
    weightCell(currentGrams(row), weightUnit),
    row.cod_amount_minor,
    paidPrice(row)?.totalMinor ?? row.price_minor,
    row.amount_due_minor,
    row.payment_method && paymentCode(row.payment_method),
    row.last_event_at,
  ]
  async function* rows(): AsyncGenerator<SheetValue[]> {
    const listFilter = parcelFilter(deps, caller, query)
    if (listFilter === null) return
    const filter = await searchFilter(deps, listFilter, query.search ?? '')
    const batchAfter = async (after: Row | null): Promise<Row[]> => {
      const read = await exportBatch(db, filter, after, batch)
      const [pricedRows, waitingIds] = await Promise.all([
        addCartShares(deps, db, caller, read),
        findWaitingForApproval(db, read),
      ])
      return pricedRows.map((row) => ({ ...row, waitsForApproval: waitingIds.has(row.id) }))
    }
    for await (const row of inBatches(batchAfter)) yield cells(row)
  }
  const options = { name: t('parcelsPage.title'), columns, timeZone, moneyDecimals: fractionDigits(currency), t }
  return {
    name: `parcels-${dayIn(clock.now(), timeZone)}.${query.format}`,
    sheet: writeSheet(query.format, rows(), options),
  }
}

/** The actual weight, or else the declared one, in grams. */
const currentGrams = ({ actual_grams, weight_grams }: ExportedParcel): number | null => actual_grams ?? weight_grams
