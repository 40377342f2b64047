/** Zones of the rate cards. */

import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type { Scope } from '@waybill/contract/ground/enums/parcel-enums'
import { parseSort } from '@waybill/contract/ground/paging'
import type { createZone, listZones, updateZone, Zone, ZoneArea } from '@waybill/contract/stations/zones'
import { type Activity, recordActivity } from '../../../activity.ts'
import { wordPatterns } from '../../../db/conditions/like.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { networkTopic } from '../network.ts'
import { findState, hasPostcodes } from '../postcodes.ts'
import {
  deleteZone,
  findZone,
  insertZone,
  listZoneCodes,
  listZoneRows,
  listZonesOfScope,
  lockZone,
  lockZones,
  replaceAreas,
  updateZoneNames,
  type ZoneRow,
} from './queries.ts'
import { areaProblems } from './rules.ts'

const present = ({ updatedAt, ...zone }: ZoneRow): Zone => ({ ...zone, updatedAt: updatedAt.toISOString() })

const activity = (deps: Deps, caller: StaffCaller, verb: string, subject: string, detail = {}): Activity => ({
  action: `zones.${verb}`,
  level: 'NOTICE',
  userId: caller.userId,
  subject,
  detail,
  at: deps.clock.now(),
})

/** A page of zones with their areas. */
export async function readZones(
  { db }: Deps,
  { scope, search, sort, offset, limit }: QueryOf<typeof listZones>,
): Promise<ResponseOf<typeof listZones>> {
  const filter = { scope: scope ?? null, patterns: wordPatterns(search) }
  const { rows, total } = await listZoneRows(db, filter, { sort: parseSort(sort), offset, limit })
  return { items: rows.map(present), total, offset, limit }
}

/** The codes of every zone, to check a file without locking them. */
export async function readZoneCodes(db: DbOrTx): Promise<{ scope: Scope; code: string }[]> {
  return listZoneCodes(db)
}

/** Throws not_found. */
export async function readZone({ db }: Deps, id: string): Promise<Zone> {
  const row = await findZone(db, id)
  if (!row) throw new AppError('not_found')
  return present(row)
}

/**
 * The areas in their stored form, with the official names of states. Throws 422 with the first broken rule of each
 * area.
 */
async function checkAreas(deps: Deps, trx: Tx, zone: { id: string; code: string; scope: Scope; areas: ZoneArea[] }) {
  await lockZones(trx, zone.scope)
  const home = deps.settings.get('countryCode')
  const stateName = (state: string) => findState(state) ?? null
  const areas = zone.areas.map((area) =>
    area.state !== null && hasPostcodes(area.country) ? { ...area, state: stateName(area.state) ?? area.state } : area,
  )
  const others = (await listZonesOfScope(trx, zone.scope)).filter(({ id }) => id !== zone.id)
  const problems = areaProblems(
    { code: zone.code, areas },
    { scope: zone.scope, home, others, ...(hasPostcodes(home) ? { stateNamed: stateName } : {}) },
  )
  if (problems.length > 0) throw validationError(...problems)
  return areas.map((area) => ({ ...area, id: newId() }))
}

/** Creates a zone. Throws 422 for a code in use, and for areas that break a rule or overlap another zone's. */
export async function addZone(deps: Deps, caller: StaffCaller, body: BodyOf<typeof createZone>): Promise<Zone> {
  const id = newId()
  await tx(deps.db, async (trx) => {
    const areas = await checkAreas(deps, trx, { ...body, id })
    const { code, name, nameZh, scope } = body
    await insertZone(trx, { id, code, name, nameZh, scope }, deps.clock.now())
    await replaceAreas(trx, id, areas)
    await recordActivity(trx, activity(deps, caller, 'create', id, { code }))
    await deps.live.publish(trx, networkTopic, {})
  })
  return readZone(deps, id)
}

/** Changes a zone's names and areas. Throws not_found, version_conflict, and 422 like `addZone`. */
export async function changeZone(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, name, nameZh, areas }: BodyOf<typeof updateZone>,
): Promise<Zone> {
  await tx(deps.db, async (trx) => {
    const before = await findZone(trx, id)
    if (!before) throw new AppError('not_found')
    const checked = await checkAreas(deps, trx, { id, code: before.code, scope: before.scope, areas })
    if (!(await updateZoneNames(trx, id, version, { name, nameZh }, deps.clock.now()))) {
      throw new AppError('version_conflict', { details: { version: before.version } })
    }
    await replaceAreas(trx, id, checked)
    const detail = {
      code: before.code,
      from: { name: before.name, nameZh: before.nameZh, areas: before.areas },
      to: { name, nameZh, areas },
    }
    await recordActivity(trx, activity(deps, caller, 'update', id, detail))
    await deps.live.publish(trx, networkTopic, {})
  })
  return readZone(deps, id)
}

/** A zone, locked until the transaction ends, so that its use can be checked before it is deleted. Throws not_found. */
export async function zoneToRemove(trx: Tx, id: string): Promise<{ scope: Scope; code: string }> {
  const zone = await lockZone(trx, id)
  if (!zone) throw new AppError('not_found')
  return zone
}

/** Deletes a zone. The caller has locked it with `zoneToRemove` and checked that nothing uses it. */
export async function removeUnusedZone(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  id: string,
  code: string,
): Promise<void> {
  await deleteZone(trx, id)
  await recordActivity(trx, activity(deps, caller, 'remove', id, { code }))
  await deps.live.publish(trx, networkTopic, {})
}
