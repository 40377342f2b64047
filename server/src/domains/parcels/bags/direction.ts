// Whether parcels and bags probably go the wrong way: a warning for whoever loads them, and for their supervisor.
import { isGoingBack } from '@waybill/contract/ground/status/parcel-status'
import type { WrongWay } from '@waybill/contract/parcels/transport/wrong-way'
import type { Db } from '../../../db/pool.ts'
import { findStationsById } from '../../stations/service.ts'
import { listLastStations } from '../custody/service.ts'
import type { ParcelRow } from '../queries.ts'
import { findWrongWay } from './rules.ts'

/** The columns that tell where a parcel goes. */
export type DirectedParcel = Parameters<typeof listLastStations>[1] & Pick<ParcelRow, 'carrier'>

/** Where the way of a bag or of a parcel ends. */
export type Directed = { kind: 'bag'; toStationId: string } | { kind: 'parcel'; parcel: DirectedParcel }

async function listEnds(db: Db, subject: Directed): Promise<string[]> {
  if (subject.kind === 'bag') return [subject.toStationId]
  const { parcel } = subject
  // Nobody has recorded which station hands a parcel over to another carrier.
  if (!isGoingBack(parcel) && parcel.carrier !== null && parcel.carrier !== 'own') return []
  return listLastStations(db, parcel)
}

/**
 * For each bag or parcel why it is probably wrong to send it from one station to another; null: it may be right. Not in
 * a transaction, whose connection has no cache of the network.
 */
export async function findWrongWays(
  db: Db,
  subjects: readonly (Directed | null)[],
  { fromId, toId }: { fromId: string; toId: string },
): Promise<(WrongWay | null)[]> {
  const ends = await Promise.all(subjects.map((subject) => (subject ? listEnds(db, subject) : [])))
  const stations = await findStationsById(db, [...new Set([fromId, toId, ...ends.flat()])])
  const [from, to] = [stations.get(fromId), stations.get(toId)]
  if (!from || !to) return subjects.map(() => null)
  return ends.map((ids) => {
    const places = ids.flatMap((id) => stations.get(id) ?? [])
    const reason = findWrongWay(places, from, to)
    return reason && { reason, station: (reason === 'ends_here' ? from : places[0])?.name ?? '–' }
  })
}
