import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { DeliveryMode, ServiceType } from '@waybill/contract/ground/enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import type { changeInsurance, changeSelfCollection, changeService } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem } from '../../../http/errors.ts'
import { findPremium, insuredValueError, type PricingAccount, pricingAccount } from '../../pricing/service.ts'
import type { Station } from '../../stations/queries.ts'
import { offersService } from '../../stations/rules.ts'
import { findStationsById } from '../../stations/service.ts'
import { isDraft } from '../access.ts'
import { presentParcel } from '../present.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { missingFields } from '../rules.ts'
import { lockParcels, transitionParcels } from '../transition.ts'
import { emitLeftCheckout, notADraft } from './drafts.ts'
import { collectionModeFor } from './input.ts'
import { priceColumns } from './prices.ts'
import { saveChanges } from './queries.ts'
import { addCartShares } from './share-pickup.ts'

/** Columns that a change gives a row; throws when the row can't have it. */
type ChangeOf = (row: ParcelRow) => ParcelChanges | Promise<ParcelChanges>

/**
 * What a draft loses when it changes: a price that isn't its own any more, and the order that waited for its payment.
 */
const unpriced = {
  service_code: null,
  price: null,
  price_minor: null,
  pickup_fee_minor: null,
  pickup_tax_minor: null,
  expected_date: null,
  order_id: null,
} as const

/** The columns after a change: priced anew in the cart, without a price in a draft. */
async function changed(deps: Deps, row: ParcelRow, change: ChangeOf, account: PricingAccount): Promise<ParcelRow> {
  if (!isDraft(row)) throw notADraft(row)
  const edited: ParcelRow = { ...row, ...unpriced, ...(await change(row)) }
  if (row.status !== 'incart' || missingFields(edited).length > 0) return edited
  return { ...edited, ...(await priceColumns(deps, edited, account)) }
}

/** Writes changed rows; one of the cart that misses something now leaves it. In their order. */
async function save(deps: Deps, trx: Tx, caller: CustomerCaller, rows: readonly ParcelRow[]): Promise<Parcel[]> {
  const saved = await saveChanges(trx, caller.accountId, rows, deps.clock.now())
  const incomplete = saved.filter((row) => row.status === 'incart' && missingFields(row).length > 0)
  const out = await transitionParcels(deps, trx, incomplete, 'taken_out', { actorId: caller.userId })
  const byId = new Map([...saved, ...out].map((row) => [row.id, row]))
  const after = rows.map(({ id }) => byId.get(id) as ParcelRow)
  return (await addCartShares(deps, trx, caller, after)).map((row) => presentParcel(deps, row, caller))
}

async function changeOne(
  deps: Deps,
  caller: CustomerCaller,
  { id, version }: { id: string; version: number },
  change: ChangeOf,
): Promise<Parcel> {
  const account = await pricingAccount(deps.db, caller.accountId)
  return tx(deps.db, async (trx) => {
    const [row] = (await lockParcels(trx, caller.accountId, [id], caller)) as [ParcelRow]
    if (row.version !== version) throw new AppError('version_conflict', { details: { version: row.version } })
    const [parcel] = await save(deps, trx, caller, [await changed(deps, row, change, account)])
    await emitLeftCheckout(deps, trx, [row])
    return parcel as Parcel
  })
}

type Refusal = { id: string; code: ErrorCode; fields: FieldProblem[] }

/** All or none: throws parcels_refused naming every one that can't be changed, each with its reason. */
async function changeMany(
  deps: Deps,
  caller: CustomerCaller,
  ids: readonly string[],
  change: ChangeOf,
): Promise<Parcel[]> {
  const account = await pricingAccount(deps.db, caller.accountId)
  return tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, caller.accountId, ids, caller)
    const done: ParcelRow[] = []
    const refused: Refusal[] = []
    for (const row of rows) {
      try {
        done.push(await changed(deps, row, change, account))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refused.push({ id: row.id, code: error.code, fields: error.extra.fields ?? [] })
      }
    }
    if (refused.length > 0) throw refusal(refused)
    await emitLeftCheckout(deps, trx, rows)
    return save(deps, trx, caller, done)
  })
}

function refusal(refused: readonly Refusal[]): AppError {
  const fields = new Map(refused.flatMap((one) => one.fields.map((problem) => [problem.field, problem])))
  return new AppError('parcels_refused', {
    vars: { count: refused.length },
    fields: [...fields.values()],
    details: {
      ids: refused.map(({ id }) => id),
      parcels: refused.map(({ id, code, fields: problems }) => ({
        id,
        code,
        fields: problems.map(({ field }) => field),
      })),
    },
  })
}

const refuse = (field: string, rule: string) => new AppError('validation', { fields: [{ field, rule }] })

function handsOut(station: Station | undefined, serviceType: ServiceType | null): boolean {
  return station?.active === true && offersService(station.serviceCodes, 'self_collection', serviceType)
}

const toService =
  (deps: Deps, { serviceType, carrier }: Omit<BodyOf<typeof changeService>, 'version'>): ChangeOf =>
  async ({ self_collection_station_id: at }) => {
    // The station that was chosen must hand out what goes by the new service too.
    const stands = at === null || handsOut((await findStationsById(deps.db, [at])).get(at), serviceType)
    if (!stands) throw refuse('selfCollectionStationId', 'stationCannot')
    // Without a wish the cheapest carrier that offers it, which is written when the parcel is priced.
    return { service_type: serviceType, carrier: carrier ?? null }
  }

/**
 * Another service for one parcel. Throws as pricing does: weight_over_limit, not_covered, service_closed with the
 * field.
 */
export function setService(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, ...wanted }: BodyOf<typeof changeService>,
): Promise<Parcel> {
  return changeOne(deps, caller, { id, version }, toService(deps, wanted))
}

/** Another service for many, all or none. */
export function setServices(
  deps: Deps,
  caller: CustomerCaller,
  { ids, ...wanted }: Omit<BodyOf<typeof changeService>, 'version'> & { ids: readonly string[] },
): Promise<Parcel[]> {
  return changeMany(deps, caller, ids, toService(deps, wanted))
}

const endingAt = (mode: DeliveryMode | null, end: 'D' | 'P') => `${mode?.[0] ?? 'D'}2${end}` as DeliveryMode

/**
 * Where the receiver collects; null: it is delivered. Throws 422 with the field for a station that hands nothing out
 * for the parcel's service.
 */
async function toStation(deps: Deps, stationId: string | null): Promise<ChangeOf> {
  const station = stationId === null ? undefined : (await findStationsById(deps.db, [stationId])).get(stationId)
  return (row) => {
    if (stationId !== null && row.scope === 'international') throw refuse('selfCollectionStationId', 'noStationAbroad')
    if (stationId !== null && !handsOut(station, row.service_type))
      throw refuse('selfCollectionStationId', 'stationCannot')
    const mode = endingAt(row.delivery_mode, stationId === null ? 'D' : 'P')
    return {
      self_collection_station_id: stationId,
      delivery_mode: mode,
      // Whoever collects at a station pays there.
      collection_mode: row.collection_mode && collectionModeFor(mode),
    }
  }
}

export async function setSelfCollection(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, selfCollectionStationId }: BodyOf<typeof changeSelfCollection>,
): Promise<Parcel> {
  return changeOne(deps, caller, { id, version }, await toStation(deps, selfCollectionStationId))
}

export async function setSelfCollections(
  deps: Deps,
  caller: CustomerCaller,
  { ids, selfCollectionStationId }: { ids: readonly string[]; selfCollectionStationId: string | null },
): Promise<Parcel[]> {
  return changeMany(deps, caller, ids, await toStation(deps, selfCollectionStationId))
}

/**
 * Insures a parcel for a value up to the declared one, or no longer. Throws 422 for more than was declared or than is
 * insured at all.
 */
export function setInsurance(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, insuredValueMinor, declaredValueMinor }: BodyOf<typeof changeInsurance>,
): Promise<Parcel> {
  return changeOne(deps, caller, { id, version }, (row) => {
    // Customs have been told what it is worth; that changes with the items alone.
    const declared = row.customs ? row.declared_value_minor : (declaredValueMinor ?? row.declared_value_minor)
    if (insuredValueMinor !== null && findPremium(deps, insuredValueMinor) === null) throw insuredValueError(deps)
    if (insuredValueMinor !== null && declared === null) throw refuse('declaredValueMinor', 'required')
    if (insuredValueMinor !== null && declared !== null && insuredValueMinor > declared) {
      throw refuse('insuredValueMinor', 'overDeclared')
    }
    return { insured_value_minor: insuredValueMinor, declared_value_minor: declared }
  })
}
