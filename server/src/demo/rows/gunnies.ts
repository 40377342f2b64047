import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import { makeGunnyNumber, makeSscc } from '../../domains/parcels/gunny/rules.ts'

/** Ids that are the same in every demo. */
const ids = ['01900000-0000-7000-8000-00000000a001', '01900000-0000-7000-8000-00000000a002'] as const

/** Two sacks of a sender: one being packed, and one that a counter took in with a parcel missing. */
export async function seedGunnies(trx: Tx, accountId: string, companyPrefix: string, now: Date): Promise<void> {
  const { rows: waiting } = await sql<{ id: string; created_by: string }>`
    select id, created_by from parcels where account_id = ${accountId}::uuid and status = 'pending_dropoff' order by id limit 3`.execute(
    trx,
  )
  const { rows: handed } = await sql<{
    id: string
    created_by: string
    number: string
    at: Date
    station_id: string
    actor_id: string
  }>`
    select p.id, p.created_by, p.tracking_number as number, e.at, e.station_id, e.actor_id
    from parcels p join tracking_events e on e.parcel_id = p.id and e.event = 'accepted' and e.station_id is not null and e.actor_id is not null
    where p.account_id = ${accountId}::uuid order by e.at desc, p.id limit 4`.execute(trx)
  const [first] = handed
  const sack = async (
    serial: number,
    given: { by: string; status: string; stationId: string | null; seal: string | null; at: Date },
  ) => {
    await sql`insert into gunnies (account_id, id, created_by, serial, number, sscc, status, station_id, seal_number, created_at, updated_at)
      values (${accountId}, ${ids[serial - 1]}, ${given.by}, ${serial}, ${makeGunnyNumber(serial)}, ${makeSscc(companyPrefix, serial)}, ${given.status},
        ${given.stationId}, ${given.seal}, ${given.at}, ${given.at})`.execute(trx)
  }
  const put = (parcels: readonly { id: string }[], gunnyId: string) =>
    sql`update parcels set gunny_id = ${gunnyId} where account_id = ${accountId}::uuid and id = any(${parcels.map(({ id }) => id)}::uuid[])`.execute(
      trx,
    )
  if (first) {
    const there = handed.slice(0, -1)
    await sack(1, {
      by: first.created_by,
      status: 'closed',
      stationId: first.station_id,
      seal: 'S-204817',
      at: first.at,
    })
    await put(there, ids[0])
    const numbers = handed.map(({ number }) => number)
    await sql`insert into gunny_checks (account_id, gunny_id, id, event, at, actor_id, station_id, expected, moved, missing, extra, unknown)
      values (${accountId}, ${ids[0]}, ${ids[0]}, 'received', ${first.at}, ${first.actor_id}, ${first.station_id}, ${numbers}, ${numbers.slice(0, -1)},
        ${numbers.slice(-1)}, '{}', '{}')`.execute(trx)
  }
  const [open] = waiting
  if (open) {
    await sack(2, { by: open.created_by, status: 'open', stationId: null, seal: null, at: now })
    await put(waiting, ids[1])
  }
  await sql`select setval('gunny_serial', 2)`.execute(trx)
}
