import type { Carrier, Scope, ServiceType } from '@waybill/contract/enums'
import type { DbOrTx } from '../../db/pool.ts'

export type RateCardRow = {
  id: string
  code: string
  version: number
  currency: string
  validFrom: string
  validTo: string | null
  accountId: string | null
}

export type RateLineRow = {
  rateCardId: string
  scope: Scope
  serviceType: ServiceType
  carrier: Carrier
  originZone: string
  destinationZone: string
  firstWeightGrams: number
  firstPriceMinor: number
  stepWeightGrams: number
  stepPriceMinor: number
  minWeightGrams: number
  maxWeightGrams: number
  transitDays: number
}

export async function allRateCards(db: DbOrTx): Promise<RateCardRow[]> {
  return db
    .selectFrom('rate_cards')
    .select(['id', 'code', 'version', 'currency'])
    .select(['valid_from as validFrom', 'valid_to as validTo', 'account_id as accountId'])
    .execute()
}

export async function allRateLines(db: DbOrTx): Promise<RateLineRow[]> {
  const rows = await db
    .selectFrom('rate_lines')
    .select(['scope', 'carrier', 'rate_card_id as rateCardId', 'service_type as serviceType'])
    .select(['origin_zone as originZone', 'destination_zone as destinationZone', 'transit_days as transitDays'])
    .select(['first_weight_grams as firstWeightGrams', 'first_price_minor as firstPriceMinor'])
    .select(['step_weight_grams as stepWeightGrams', 'step_price_minor as stepPriceMinor'])
    .select(['min_weight_grams as minWeightGrams', 'max_weight_grams as maxWeightGrams'])
    .execute()
  // The table's checks allow no other values.
  return rows as RateLineRow[]
}
