// Changes in the cart without the form: service, self-collection and insurance, of one parcel or many.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import type { DeliveryMode, ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import type { ErrorCode } from '@waybill/contract/ground/errors'
import { isDraft } from '@waybill/contract/ground/status/parcel-status'
import type { changeInsurance, changeSelfCollection, changeService } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { customerActivity, recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem } from '../../../http/errors.ts'
import { findPremium, insuredValueError, type PricingAccount, pricingAccount } from '../../pricing/service.ts'
import type { Station } from '../../stations/queries.ts'
import { offersService } from '../../stations/rules.ts'
import { findStationsById } from '../../stations/service.ts'
import { presentParcel } from '../present.ts'
import type { ParcelChanges, ParcelRow } from '../queries.ts'
import { missingFields } from '../rules.ts'
import { lockParcel, lockParcels, transitionParcels } from '../transition.ts'
import { emitLeftCheckout, notADraft } from './drafts.ts'
import { collectionModeFor } from './input.ts'
import { priceColumns } from './prices.ts'
import { saveChanges } from './queries.ts'
import { addCartShares } from './share-pickup.ts'

/** Returns the columns that a change sets; throws if the row does not allow it. */
type ChangeOf = (row: ParcelRow) => ParcelChanges | Promise<ParcelChanges>

/** A changed parcel loses its price and its unpaid order. */
const unpriced = {
  service_code: null,
  price: null,
  price_minor: null,
  pickup_fee_minor: null,
  pickup_tax_minor: null,
  expected_date: null,
  order_id: null,
} as const

/** A row after a change; if it is in the cart, with a new price. */
async function applyChange(deps: Deps, row: ParcelRow, change: ChangeOf, account: PricingAccount): Promise<ParcelRow> {
  if (!isDraft(row.status)) throw notADraft(row)
  const edited: ParcelRow = { ...row, ...unpriced, ...(await change(row)) }
  if (row.status !== 'incart' || missingFields(edited).length > 0) return edited
  return { ...edited, ...(await priceColumns(deps, edited, account)) }
}

/** Writes changed rows, in their order. Rows that are now incomplete leave the cart. */
async function save(deps: Deps, trx: Tx, caller: CustomerCaller, rows: readonly ParcelRow[]): Promise<Parcel[]> {
  const at = deps.clock.now()
  const updated = await saveChanges(trx, caller.accountId, rows, at)
  const subjects = rows.map(({ id }) => id)
  await recordActivity(trx, customerActivity(caller, 'parcels.changed', subjects, at))
  const incomplete = updated.filter((row) => row.status === 'incart' && missingFields(row).length > 0)
  const out = await transitionParcels(deps, trx, incomplete, 'taken_out', { actorId: caller.userId })
  const byId = new Map([...updated, ...out].map((row) => [row.id, row]))
  const parcels = rows.map(({ id }) => byId.get(id) as ParcelRow)
  return (await addCartShares(deps, trx, caller, parcels)).map((row) => presentParcel(deps, row, caller))
}

async function changeOne(
  deps: Deps,
  caller: CustomerCaller,
  { id, version }: { id: string; version: number },
  change: ChangeOf,
): Promise<Parcel> {
  const account = await pricingAccount(deps.db, caller.accountId)
  return tx(deps.db, async (trx) => {
    const row = await lockParcel(trx, caller, id)
    if (row.version !== version) throw new AppError('version_conflict', { details: { version: row.version } })
    const [parcel] = await save(deps, trx, caller, [await applyChange(deps, row, change, account)])
    await emitLeftCheckout(deps, trx, [row])
    return parcel as Parcel
  })
}

type Refusal = { id: string; code: ErrorCode; fields: FieldProblem[] }

/** Changes all parcels or none. Throws parcels_refused with all that cannot be changed, each with its reason. */
async function changeMany(
  deps: Deps,
  caller: CustomerCaller,
  ids: readonly string[],
  change: ChangeOf,
): Promise<Parcel[]> {
  const account = await pricingAccount(deps.db, caller.accountId)
  return tx(deps.db, async (trx) => {
    const rows = await lockParcels(trx, caller.accountId, ids, caller)
    const changedRows: ParcelRow[] = []
    const refusals: Refusal[] = []
    for (const row of rows) {
      try {
        changedRows.push(await applyChange(deps, row, change, account))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        refusals.push({ id: row.id, code: error.code, fields: error.extra.fields ?? [] })
      }
    }
    if (refusals.length > 0) throw refusedError(refusals)
    await emitLeftCheckout(deps, trx, rows)
    return save(deps, trx, caller, changedRows)
  })
}

function refusedError(refusals: readonly Refusal[]): AppError {
  const fields = new Map(refusals.flatMap((refusal) => refusal.fields.map((problem) => [problem.field, problem])))
  return new AppError('parcels_refused', {
    vars: { count: refusals.length },
    fields: [...fields.values()],
    details: {
      ids: refusals.map(({ id }) => id),
      parcels: refusals.map(({ id, code, fields: problems }) => ({
        id,
        code,
        fields: problems.map(({ field }) => field),
      })),
    },
  })
}

const refuse = (field: string, rule: string) => new AppError('validation', { fields: [{ field, rule }] })

function offersCollection(station: Station | undefined, serviceType: ServiceType | null): boolean {
  return station?.active === true && offersService(station.serviceCodes, 'self_collection', serviceType)
}

const toService =
  (deps: Deps, { serviceType, carrier }: Omit<BodyOf<typeof changeService>, 'version'>): ChangeOf =>
  async ({ self_collection_station_id: at }) => {
    // The selected station must hand out parcels of the new service.
    const possible = at === null || offersCollection((await findStationsById(deps.db, [at])).get(at), serviceType)
    if (!possible) throw refuse('selfCollectionStationId', 'stationCannot')
    // Null: pricing chooses the cheapest carrier.
    return { service_type: serviceType, carrier: carrier ?? null }
  }

/** Changes the service of a parcel. Throws weight_over_limit, not_covered or service_closed with the field. */
export function setService(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, ...service }: BodyOf<typeof changeService>,
): Promise<Parcel> {
  return changeOne(deps, caller, { id, version }, toService(deps, service))
}

/** Changes the service of many parcels, all or none. */
export function setServices(
  deps: Deps,
  caller: CustomerCaller,
  { ids, ...service }: Omit<BodyOf<typeof changeService>, 'version'> & { ids: readonly string[] },
): Promise<Parcel[]> {
  return changeMany(deps, caller, ids, toService(deps, service))
}

const endingAt = (mode: DeliveryMode | null, end: 'D' | 'P') => `${mode?.[0] ?? 'D'}2${end}` as DeliveryMode

/**
 * A change of the self-collection station; null: delivery to the door. Throws validation for a station that does not
 * hand out parcels of this service.
 */
async function toStation(deps: Deps, stationId: string | null): Promise<ChangeOf> {
  const station = stationId === null ? undefined : (await findStationsById(deps.db, [stationId])).get(stationId)
  return (row) => {
    if (stationId !== null && row.scope === 'international') throw refuse('selfCollectionStationId', 'noStationAbroad')
    if (stationId !== null && !offersCollection(station, row.service_type))
      throw refuse('selfCollectionStationId', 'stationCannot')
    const mode = endingAt(row.delivery_mode, stationId === null ? 'D' : 'P')
    return {
      self_collection_station_id: stationId,
      delivery_mode: mode,
      // COD is collected where the receiver collects the parcel: at the station.
      collection_mode: row.collection_mode && collectionModeFor(mode),
    }
  }
}

/** Changes the self-collection station of a parcel. Throws validation. */
export async function setSelfCollection(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, selfCollectionStationId }: BodyOf<typeof changeSelfCollection>,
): Promise<Parcel> {
  return changeOne(deps, caller, { id, version }, await toStation(deps, selfCollectionStationId))
}

/** Changes the self-collection station of many parcels, all or none. */
export async function setSelfCollections(
  deps: Deps,
  caller: CustomerCaller,
  { ids, selfCollectionStationId }: { ids: readonly string[]; selfCollectionStationId: string | null },
): Promise<Parcel[]> {
  return changeMany(deps, caller, ids, await toStation(deps, selfCollectionStationId))
}

/**
 * Insures a parcel for at most its declared value, or removes the insurance (null). Throws validation for a higher
 * value.
 */
export function setInsurance(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  { version, insuredValueMinor, declaredValueMinor }: BodyOf<typeof changeInsurance>,
): Promise<Parcel> {
  return changeOne(deps, caller, { id, version }, (row) => {
    // With a customs declaration the declared value is the sum of its items.
    const declared = row.customs ? row.declared_value_minor : (declaredValueMinor ?? row.declared_value_minor)
    if (insuredValueMinor !== null && findPremium(deps, insuredValueMinor) === null) throw insuredValueError(deps)
    if (insuredValueMinor !== null && declared === null) throw refuse('declaredValueMinor', 'required')
    if (insuredValueMinor !== null && declared !== null && insuredValueMinor > declared) {
      throw refuse('insuredValueMinor', 'overDeclared')
    }
    return { insured_value_minor: insuredValueMinor, declared_value_minor: declared }
  })
}
