/** Queries on rates, services and carriers' rules. */
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type { DeliveryMode, Scope, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
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

/** A carrier's weight rules; null: the deployment's setting, or the rate's own step. */
export type CarrierRuleRow = {
  carrier: Carrier
  divisor: number | null
  roundingGrams: number | null
  fuelBasisPoints: number | null
  version: number
}

/** What a carrier offers for one kind of shipment. */
export type ServiceRow = {
  scope: Scope
  carrier: Carrier
  serviceType: ServiceType
  status: 'open' | 'closed' | 'not_offered'
  deliveryModes: DeliveryMode[]
  cod: boolean
  maxWeightGrams: number | null
  maxVolumetricGrams: number | null
  version: number
}

/** Published rate cards; drafts are not used for prices. */
export async function publishedRateCards(db: DbOrTx): Promise<RateCardRow[]> {
  const rows = await db
    .selectFrom('rate_cards')
    .select(['id', 'code', 'version', 'currency'])
    .select(['valid_from as validFrom', 'valid_to as validTo', 'account_id as accountId'])
    .where('status', '=', 'published')
    .execute()
  // Guaranteed by a check of the table for published cards.
  return rows as RateCardRow[]
}

const rateLinesIn = (db: DbOrTx) =>
  db
    .selectFrom('rate_lines')
    .select(['scope', 'carrier', 'rate_card_id as rateCardId', 'service_type as serviceType'])
    .select(['origin_zone as originZone', 'destination_zone as destinationZone', 'transit_days as transitDays'])
    .select(['first_weight_grams as firstWeightGrams', 'first_price_minor as firstPriceMinor'])
    .select(['step_weight_grams as stepWeightGrams', 'step_price_minor as stepPriceMinor'])
    .select(['min_weight_grams as minWeightGrams', 'max_weight_grams as maxWeightGrams'])

/** Lines of the published rate cards. */
export async function publishedRateLines(db: DbOrTx): Promise<RateLineRow[]> {
  const rows = await rateLinesIn(db)
    .where('rate_card_id', 'in', (eb) => eb.selectFrom('rate_cards').select('id').where('status', '=', 'published'))
    .execute()
  // A check of the table allows no other values.
  return rows as RateLineRow[]
}

/** The lines of a card in the order of its table: by service and zones, lightest band first. */
export async function listRateLines(db: DbOrTx, rateCardId: string): Promise<RateLineRow[]> {
  const rows = await rateLinesIn(db)
    .where('rate_card_id', '=', rateCardId)
    .orderBy('scope')
    .orderBy('carrier')
    .orderBy('service_type')
    .orderBy('origin_zone')
    .orderBy('destination_zone')
    .orderBy('min_weight_grams')
    .execute()
  return rows as RateLineRow[]
}

/** The weight rules of every carrier. */
export async function listCarrierRules(db: DbOrTx): Promise<CarrierRuleRow[]> {
  const rows = await db
    .selectFrom('carrier_rules')
    .select(['carrier', 'divisor', 'version', 'rounding_grams as roundingGrams'])
    .select('fuel_basis_points as fuelBasisPoints')
    .orderBy('carrier')
    .execute()
  return rows as CarrierRuleRow[]
}

/** Every service of every carrier. Only our own riders and counters collect cash on delivery. */
export async function listServiceRows(db: DbOrTx): Promise<ServiceRow[]> {
  const rows = await db
    .selectFrom('services')
    .select(['scope', 'carrier', 'status', 'cod', 'version', 'service_type as serviceType'])
    .select(['delivery_modes as deliveryModes', 'max_weight_grams as maxWeightGrams'])
    .select('max_volumetric_grams as maxVolumetricGrams')
    .orderBy('scope')
    .orderBy('carrier')
    .orderBy('service_type')
    .execute()
  return (rows as ServiceRow[]).map((row) => ({ ...row, cod: row.cod && row.carrier === 'own' }))
}
