// Today's prices of parcels.

import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import { formatWeight } from '@waybill/contract/ground/format'
import { endsAtStation, isPickedUp } from '@waybill/contract/pricing/delivery-mode'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import type { DbOrTx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { AccountId } from '../../../http/caller.ts'
import { AppError, type FieldProblem } from '../../../http/errors.ts'
import { inBothLanguages } from '../../../lib/i18n.ts'
import { findAddressTooLongForDhl } from '../../carriers/rules.ts'
import type { PriceRequest } from '../../pricing/offers.ts'
import { type PricingAccount, pricingAccount, quoteService } from '../../pricing/service.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { type Completeness, getDimensions, missingFields } from '../rules.ts'
import { savePrices } from './queries.ts'

type Reason = NonNullable<ServiceQuote['reason']>['code']

/** Maps the reason why a service is not offered to the error, and the field that the sender can change. */
const closed: Record<Reason, { code: ErrorCode; field: string; rule: string }> = {
  too_heavy: { code: 'weight_over_limit', field: 'weightGrams', rule: 'max' },
  too_light: { code: 'service_closed', field: 'weightGrams', rule: 'min' },
  too_large: { code: 'weight_over_limit', field: 'dimensions', rule: 'tooLarge' },
  not_covered_origin: { code: 'not_covered', field: 'sender.postcode', rule: 'noService' },
  not_covered_destination: { code: 'not_covered', field: 'receiver.postcode', rule: 'noService' },
  no_rate: { code: 'service_closed', field: 'serviceType', rule: 'noService' },
  mode_not_offered: { code: 'service_closed', field: 'deliveryMode', rule: 'noService' },
  scope_not_offered: { code: 'service_closed', field: 'serviceType', rule: 'noService' },
  no_cod: { code: 'service_closed', field: 'codAmountMinor', rule: 'noService' },
  carrier_closed: { code: 'service_closed', field: 'serviceType', rule: 'noService' },
  switched_off: { code: 'service_closed', field: 'serviceType', rule: 'noService' },
  address_too_long: { code: 'service_closed', field: 'receiver.line2', rule: 'addressTooLong' },
}

/** The party whose address DHL cannot take; null: it takes both. */
export const findLongAddress = ({ sender, receiver }: Pick<PriceBasis, 'sender' | 'receiver'>) =>
  sender && receiver ? findAddressTooLongForDhl({ sender, receiver }) : null

/** Where the route starts or ends at a station, it is the station that does not fit, not the address. */
function toStationField({ delivery_mode: mode, drop_off_station_id }: PriceBasis, field: string): string {
  if (field === 'sender.postcode' && mode && !isPickedUp(mode) && drop_off_station_id) return 'dropOffStationId'
  return field === 'receiver.postcode' && endsAtStation(mode) ? 'selfCollectionStationId' : field
}

function closedError(deps: Deps, row: PriceBasis, { reason }: ServiceQuote): AppError {
  const { code, field: usualField, rule } = closed[reason?.code ?? 'no_rate']
  const field = reason?.code === 'address_too_long' ? `${findLongAddress(row)}.line2` : toStationField(row, usualField)
  const unit = deps.settings.get('units.weight')
  const limit = reason?.limit ?? null
  const text = limit === null ? null : inBothLanguages((locale) => formatWeight(limit, unit, locale))
  const problem: FieldProblem = { field, rule, ...(text ? { labels: { max: text, min: text } } : {}) }
  return new AppError(code, {
    fields: [problem],
    ...(code === 'weight_over_limit' && text ? { text: 'weight_over_limit_known', labels: { limit: text } } : {}),
    details: { parcelId: row.id, reason: reason?.code ?? null, ...(limit === null ? {} : { limitGrams: limit }) },
  })
}

/** The data that determines a price. `id` names a stored parcel in errors. */
export type PriceBasis = Completeness &
  Pick<ParcelRow, 'carrier' | 'insured_value_minor' | 'width_mm' | 'height_mm' | 'drop_off_station_id'> & {
    id?: string
  }

function buildRequest(
  row: PriceBasis,
  paidOriginZone: string | undefined,
): {
  request: PriceRequest
  serviceType: NonNullable<ParcelRow['service_type']>
} {
  const { sender, receiver, service_type, delivery_mode, weight_grams } = row
  if (!sender || !receiver || !service_type || !delivery_mode || weight_grams === null) {
    const missing = missingFields(row)
    throw new AppError('parcel_incomplete', {
      fields: missing.map((field) => ({ field, rule: 'required' })),
      details: { parcels: [{ id: row.id, missing }] },
    })
  }
  return {
    serviceType: service_type,
    request: {
      scope: row.scope,
      deliveryMode: delivery_mode,
      sender: { postcode: sender.postcode, country: sender.country },
      receiver: { postcode: receiver.postcode, country: receiver.country },
      dropOffStationId: row.drop_off_station_id,
      selfCollectionStationId: row.self_collection_station_id,
      // A parcel that is paid is booked already, or was taken over from its carrier.
      ...(paidOriginZone === undefined
        ? { addressTooLongFor: findLongAddress(row) === null ? [] : (['dhl'] as const) }
        : { paidOriginZone }),
      weightGrams: weight_grams,
      dimensions: getDimensions(row),
      insuredValueMinor: row.insured_value_minor,
      codAmountMinor: row.cod_amount_minor,
    },
  }
}

/** Reasons that may not apply to another carrier of the same service. */
const carrierReasons: readonly Reason[] = ['no_rate', 'scope_not_offered', 'carrier_closed', 'switched_off']

/** The error of a service that is not offered. It names the carrier if another one offers the service. */
async function refusal(
  deps: Deps,
  row: PriceBasis,
  { request, serviceType }: ReturnType<typeof buildRequest>,
  quote: ServiceQuote,
  account: PricingAccount,
): Promise<AppError> {
  const reason = quote.reason?.code ?? 'no_rate'
  if (row.carrier !== null && carrierReasons.includes(reason)) {
    const otherQuote = await quoteService(deps, request, serviceType, account)
    if (otherQuote.open) {
      return new AppError('service_closed', {
        fields: [{ field: 'carrier', rule: 'noService' }],
        details: { parcelId: row.id, reason },
      })
    }
  }
  return closedError(deps, row, quote)
}

/**
 * The columns of a parcel's price today, with the carrier that the sender selected or else the cheapest. Throws
 * weight_over_limit, not_covered or service_closed with the field if the service is not offered. `paidOriginZone`:
 * after the hand-over, the zone that was paid from.
 */
export async function priceColumns(deps: Deps, row: PriceBasis, account: PricingAccount, paidOriginZone?: string) {
  const { request, serviceType } = buildRequest(row, paidOriginZone)
  const quote = await quoteService(deps, request, serviceType, account, row.carrier ?? undefined)
  if (!quote.open || !quote.price) throw await refusal(deps, row, { request, serviceType }, quote, account)
  const { price } = quote
  return {
    service_code: quote.code,
    carrier: quote.carrier,
    price,
    price_minor: price.totalMinor,
    currency: price.currency,
    volumetric_grams: price.volumetricGrams,
    chargeable_grams: price.chargeableGrams,
    expected_date: quote.expectedDate,
  } satisfies ParcelChanges
}

/**
 * The rows with today's prices; nothing is written. Throws the errors of `priceColumns`, for the first row without a
 * price.
 */
export async function pricesToday(
  deps: Deps,
  db: DbOrTx,
  rows: readonly ParcelRow[],
  accountId: AccountId,
): Promise<ParcelRow[]> {
  const account = await pricingAccount(db, accountId)
  const pricedRows: ParcelRow[] = []
  for (const row of rows) pricedRows.push({ ...row, ...(await priceColumns(deps, row, account)) })
  return pricedRows
}

/** Whether the price or the expected day of a parcel differs. */
export const isRepriced = (before: ParcelRow, after: ParcelRow): boolean =>
  after.price_minor !== before.price_minor ||
  after.expected_date !== before.expected_date ||
  !isDeepStrictEqual(after.price, before.price)

/** Writes today's prices of locked rows if they changed. Versions stay, because the sender edited nothing. */
export async function repriceParcels(
  deps: Deps,
  trx: DbOrTx,
  rows: readonly ParcelRow[],
  accountId: AccountId,
): Promise<ParcelRow[]> {
  const pricedRows = await pricesToday(deps, trx, rows, accountId)
  const changed = pricedRows.filter((row, n) => isRepriced(rows[n] as ParcelRow, row))
  await savePrices(trx, accountId, changed)
  return pricedRows
}
