/** Services, carriers' weight rules, and conditions of accounts, for staff. */
import type { BodyOf, ParamsOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Carrier } from '@waybill/contract/ground/enums/enums'
import type {
  CarrierRule,
  listAccountConditions,
  listServices,
  OfferedService,
  updateCarrierRule,
  updateService,
} from '@waybill/contract/pricing/rate-cards'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError, validationError } from '../../http/errors.ts'
import { listConditions } from '../accounts/company/conditions.ts'
import { listCarrierRules, listServiceRows } from './queries.ts'
import { listPublishedCodes, saveCarrierRule, saveService } from './rate-cards/queries.ts'
import { ratesTopic } from './rate-cards/rates.ts'

/** Every service of every carrier, offered or not, and the carriers' weight rules. */
export async function listOfferedServices({ db }: Deps): Promise<ResponseOf<typeof listServices>> {
  const [services, carriers] = await Promise.all([listServiceRows(db), listCarrierRules(db)])
  return { services, carriers }
}

/**
 * Opens, closes or limits a service, in every process at once. Throws not_found, version_conflict, 422 for an open
 * service without any mode, and for cash on delivery with another carrier.
 */
export async function changeService(
  deps: Deps,
  caller: StaffCaller,
  key: ParamsOf<typeof updateService>,
  body: BodyOf<typeof updateService>,
): Promise<OfferedService> {
  if (body.status === 'open' && body.deliveryModes.length === 0) {
    throw validationError({ field: 'deliveryModes', rule: 'required' })
  }
  if (body.cod && key.carrier !== 'own') throw validationError({ field: 'cod', rule: 'codOwnOnly' })
  return tx(deps.db, async (trx) => {
    const before = (await listServiceRows(trx)).find(
      (each) => each.scope === key.scope && each.carrier === key.carrier && each.serviceType === key.serviceType,
    )
    if (!before) throw new AppError('not_found')
    const updatedService = { ...before, ...body, deliveryModes: [...new Set(body.deliveryModes)] }
    if (!(await saveService(trx, updatedService, deps.clock.now()))) {
      throw new AppError('version_conflict', { details: { version: before.version } })
    }
    await recordActivity(trx, {
      action: 'rates.service',
      level: 'NOTICE',
      userId: caller.userId,
      subject: `${key.scope}.${key.carrier}.${key.serviceType}`,
      detail: { from: before, to: body },
      at: deps.clock.now(),
    })
    await deps.live.publish(trx, ratesTopic, {})
    return { ...updatedService, version: body.version + 1 }
  })
}

/** Changes a carrier's weight rules, in every process at once. Throws version_conflict. */
export async function changeCarrierRule(
  deps: Deps,
  caller: StaffCaller,
  carrier: Carrier,
  body: BodyOf<typeof updateCarrierRule>,
): Promise<CarrierRule> {
  return tx(deps.db, async (trx) => {
    const before = (await listCarrierRules(trx)).find((each) => each.carrier === carrier)
    if (!before) throw new AppError('not_found')
    if (!(await saveCarrierRule(trx, { ...body, carrier }, deps.clock.now()))) {
      throw new AppError('version_conflict', { details: { version: before.version } })
    }
    await recordActivity(trx, {
      action: 'rates.carrier',
      level: 'NOTICE',
      userId: caller.userId,
      subject: carrier,
      detail: { from: before, to: body },
      at: deps.clock.now(),
    })
    await deps.live.publish(trx, ratesTopic, {})
    return { ...body, carrier, version: body.version + 1 }
  })
}

/** A page of accounts with their conditions, those with individual conditions first. */
export async function accountsWithConditions(
  { db }: Deps,
  query: QueryOf<typeof listAccountConditions>,
): Promise<ResponseOf<typeof listAccountConditions>> {
  const { items, total } = await listConditions(db, query)
  return { items, total, offset: query.offset, limit: query.limit }
}

/** The codes of rate cards with a published version. */
export async function listRateCardCodes(db: DbOrTx): Promise<string[]> {
  return listPublishedCodes(db)
}
