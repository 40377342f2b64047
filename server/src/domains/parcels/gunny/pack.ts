// The sender packs a gunny, changes it, and takes it apart, until it is handed over.
import type { BodyOf } from '@waybill/contract/ground/endpoint'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { type createGunny, type GunnyDetail, gunnyLimit, type updateGunny } from '@waybill/contract/parcels/gunny'
import { recordActivity } from '../../../activity.ts'
import { type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { CustomerCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { newId } from '../../../lib/ids.ts'
import { makeContainerNumber, makeSscc } from '../../../lib/print/container-codes.ts'
import { findStationsById } from '../../stations/service.ts'
import { onlyCreatedBy } from '../access.ts'
import type { ParcelRow } from '../queries.ts'
import { parseParcelNumber } from '../tracking-number.ts'
import {
  findOpenGunnies,
  type GunnyRow,
  insertGunny,
  listParcelsInGunny,
  lockGunny,
  lockParcelsByNumbers,
  nextGunnySerial,
  setGunny,
  updateGunnyRow,
} from './queries.ts'
import { getCountedGunny, gunnyDetails, gunnyForbidden, gunnyPrefix, requireNext } from './service.ts'

/**
 * Locks the parcels with these numbers for a gunny, and returns them with their common drop-off station. Throws
 * validation with a problem for each number that cannot be packed, at its index.
 */
async function lockPackable(
  deps: Deps,
  trx: Tx,
  caller: CustomerCaller,
  request: { field: string; numbers: readonly string[]; gunny: GunnyRow | null; stationId: string | null },
): Promise<{ rows: ParcelRow[]; stationId: string | null }> {
  const prefix = deps.settings.get('tracking.prefix')
  const readings = request.numbers.map((number) => parseParcelNumber(number, prefix))
  const rows = await lockParcelsByNumbers(
    trx,
    caller.accountId,
    readings.filter(({ problem }) => problem === null).map(({ number }) => number),
    { createdBy: onlyCreatedBy(caller) },
  )
  const byNumber = new Map(rows.map((row) => [row.tracking_number, row]))
  const openGunnies = await findOpenGunnies(trx, [...new Set(rows.flatMap(({ gunny_id }) => gunny_id ?? []))])
  const stationId = request.stationId ?? rows.find((row) => row.drop_off_station_id)?.drop_off_station_id ?? null
  const problems: FieldProblem[] = []
  const numbers = new Set<string>()
  for (const [index, { number, problem, suggestion }] of readings.entries()) {
    const add = (rule: string, vars: Record<string, unknown> = {}) =>
      problems.push({ field: `${request.field}.${index}`, rule, vars: { number, ...vars } })
    const row = byNumber.get(number)
    const otherGunny = openGunnies.find(({ id }) => id === row?.gunny_id && id !== request.gunny?.id)
    if (problem === 'slip') add(suggestion ? 'numberSlipMeant' : 'numberSlip', { suggestion })
    else if (numbers.has(number)) add('numberTwice')
    else if (!row) add('numberUnknown')
    else if (row.status !== 'pending_dropoff') add('notForDropOff', { status: parcelStatusLabels[row.status][0] })
    else if (otherGunny) add('inOtherGunny', { gunny: otherGunny.number })
    else if (row.drop_off_station_id && stationId && row.drop_off_station_id !== stationId) add('otherDropOff')
    numbers.add(number)
  }
  if (problems.length > 0) throw validationError(...problems)
  return { rows, stationId }
}

/** Throws validation if a station is given that does not exist. */
async function checkStation(deps: Deps, id: string | null | undefined): Promise<void> {
  if (!id) return
  const station = (await findStationsById(deps.db, [id])).get(id)
  if (!station) throw validationError({ field: 'stationId', rule: 'enum' })
}

/** Packs parcels of one drop-off station into a new gunny. Throws validation with the problems by number. */
export async function packGunny(
  deps: Deps,
  caller: CustomerCaller,
  body: BodyOf<typeof createGunny>,
  idempotency: Idempotency,
): Promise<GunnyDetail> {
  await checkStation(deps, body.stationId)
  const at = deps.clock.now()
  const id = newId()
  return tx(deps.db, async (trx) => {
    const { rows, stationId } = await lockPackable(deps, trx, caller, {
      field: 'numbers',
      numbers: body.numbers,
      gunny: null,
      stationId: body.stationId,
    })
    const serial = await nextGunnySerial(trx)
    const number = makeContainerNumber(gunnyPrefix, serial)
    await insertGunny(trx, {
      accountId: caller.accountId,
      id,
      createdBy: caller.userId,
      serial,
      number,
      sscc: makeSscc(deps.settings.get('gunny.companyPrefix'), serial),
      dropOffStationId: stationId,
      sealNumber: body.sealNumber,
      at,
    })
    await setGunny(trx, rows, id)
    await record(trx, caller, 'gunny.create', number, at, { parcels: rows.length })
    const detail = await gunnyDetails(trx, await getCountedGunny(trx, caller, id))
    await idempotency.keep(trx, detail)
    return detail
  })
}

async function record(
  trx: Tx,
  { accountId, userId }: CustomerCaller,
  action: string,
  subject: string,
  at: Date,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordActivity(trx, { action, accountId, userId, subject, at, detail })
}

async function lockOwn(trx: Tx, caller: CustomerCaller, id: string): Promise<GunnyRow> {
  const gunny = await lockGunny(trx, id, caller.accountId, onlyCreatedBy(caller))
  if (!gunny) throw new AppError('not_found')
  return gunny
}

/**
 * Adds and removes parcels of a gunny, and changes its seal or station, until it is handed over. Throws not_found,
 * gunny_state, version_conflict, validation.
 */
export async function changeGunny(
  deps: Deps,
  caller: CustomerCaller,
  id: string,
  body: BodyOf<typeof updateGunny>,
): Promise<GunnyDetail> {
  await checkStation(deps, body.stationId)
  const at = deps.clock.now()
  return tx(deps.db, async (trx) => {
    const gunny = await lockOwn(trx, caller, id)
    if (gunny.status !== 'open') throw gunnyForbidden(gunny, 'received')
    if (gunny.version !== body.version) throw new AppError('version_conflict')
    const prefix = deps.settings.get('tracking.prefix')
    const parcels = await listParcelsInGunny(trx, gunny)
    const removals = new Set(body.remove.map((number) => parseParcelNumber(number, prefix).number))
    const leaving = parcels.filter(({ tracking_number }) => removals.has(tracking_number ?? ''))
    const staying = parcels.filter((row) => !leaving.includes(row))
    const missing = [...removals].filter((number) => !leaving.some(({ tracking_number }) => tracking_number === number))
    if (missing.length > 0) {
      throw validationError(...missing.map((number) => ({ field: 'remove', rule: 'notInGunny', vars: { number } })))
    }
    const stayingNumbers = new Set(staying.map(({ tracking_number }) => tracking_number))
    const duplicates = body.add.flatMap((input, index) => {
      const { number } = parseParcelNumber(input, prefix)
      return stayingNumbers.has(number) ? [{ field: `add.${index}`, rule: 'numberTwice', vars: { number } }] : []
    })
    if (duplicates.length > 0) throw validationError(...duplicates)
    const stationId = body.stationId === undefined ? gunny.drop_off_station_id : body.stationId
    const elsewhere = staying.find(
      (row) => row.drop_off_station_id && stationId && row.drop_off_station_id !== stationId,
    )
    if (elsewhere)
      throw validationError({ field: 'stationId', rule: 'otherDropOff', vars: { number: elsewhere.tracking_number } })
    const joining = await lockPackable(deps, trx, caller, { field: 'add', numbers: body.add, gunny, stationId })
    if (staying.length + joining.rows.length > gunnyLimit) {
      throw validationError({ field: 'add', rule: 'maxItems', vars: { max: gunnyLimit } })
    }
    await setGunny(trx, leaving, null)
    await setGunny(trx, joining.rows, gunny.id)
    await updateGunnyRow(
      trx,
      gunny,
      {
        drop_off_station_id: joining.stationId,
        ...(body.sealNumber === undefined ? {} : { seal_number: body.sealNumber || null }),
      },
      at,
    )
    await record(trx, caller, 'gunny.update', gunny.number, at, { added: joining.rows.length, removed: leaving.length })
    return gunnyDetails(trx, await getCountedGunny(trx, caller, id))
  })
}

/** Removes all parcels from a gunny that was not handed over. Throws not_found, gunny_state. */
export async function dissolve(deps: Deps, caller: CustomerCaller, id: string): Promise<void> {
  const at = deps.clock.now()
  await tx(deps.db, async (trx) => {
    const gunny = await lockOwn(trx, caller, id)
    const status = requireNext(gunny, 'dissolved')
    await setGunny(trx, await listParcelsInGunny(trx, gunny), null)
    await updateGunnyRow(trx, gunny, { status }, at)
    await record(trx, caller, 'gunny.dissolve', gunny.number, at)
  })
}
