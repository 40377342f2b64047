// Misroutes of parcels and bags: warnings for the clerk who loads them, and for the supervisor.
import { isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import type { Misroute } from '@waybill/contract/parcels/transport/misroute'
import type { Db } from '../../../db/pool.ts'
import { findStationsById } from '../../stations/service.ts'
import { listLastStations } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { findMisroute } from './rules.ts'

/** The columns that determine the last station of a parcel. */
export type ParcelRouting = Parameters<typeof listLastStations>[1] & Pick<ParcelRow, 'carrier'>

/** What determines the last station of a bag or a parcel. */
export type Routing = { kind: 'bag'; toStationId: string } | { kind: 'parcel'; parcel: ParcelRouting }

async function listLastStationIds(db: Db, subject: Routing): Promise<string[]> {
  if (subject.kind === 'bag') return [subject.toStationId]
  const { parcel } = subject
  // Nobody has recorded which station hands a parcel over to another carrier.
  if (!isGoingBack(parcel) && parcel.carrier !== null && parcel.carrier !== 'own') return []
  return listLastStations(db, parcel)
}

/**
 * For each bag or parcel the misroute if it is sent from one station to another; null: none. Not in a transaction,
 * whose connection has no cache of the network.
 */
export async function findMisroutes(
  db: Db,
  subjects: readonly (Routing | null)[],
  { fromId, toId }: { fromId: string; toId: string },
): Promise<(Misroute | null)[]> {
  const stationIds = await Promise.all(subjects.map((subject) => (subject ? listLastStationIds(db, subject) : [])))
  const stations = await findStationsById(db, [...new Set([fromId, toId, ...stationIds.flat()])])
  const [from, to] = [stations.get(fromId), stations.get(toId)]
  if (!from || !to) return subjects.map(() => null)
  return stationIds.map((ids) => {
    const places = ids.flatMap((id) => stations.get(id) ?? [])
    const reason = findMisroute(places, from, to)
    return reason && { reason, station: (reason === 'ends_here' ? from : places[0])?.name ?? '–' }
  })
}
