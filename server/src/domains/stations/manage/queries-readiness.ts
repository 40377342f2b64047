/** Whether the network can receive and deliver a parcel. */
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'

export type NetworkReadiness = { hasStation: boolean; accepts: boolean; delivers: boolean; hasZone: boolean }

/** What the open stations and the domestic zones can do. */
export async function findNetworkReadiness(db: DbOrTx): Promise<NetworkReadiness> {
  const covers = sql`exists (select from station_coverage c where c.station_id = s.id)`
  const offers = (what: string) => sql`s.service_codes && ${[`e_parcel.${what}`, `semi_express.${what}`]}::text[]`
  const anyStation = (condition: ReturnType<typeof sql>) =>
    sql<boolean>`exists (select from stations s where s.active and ${condition})`
  const { rows } = await sql<NetworkReadiness>`
    select ${anyStation(sql`true`)} as "hasStation",
      ${anyStation(sql`(${offers('drop_off')} or (${offers('pickup')} and ${covers}))`)} as accepts,
      ${anyStation(sql`${offers('delivery')} and ${covers}`)} as delivers,
      exists (select from zones z where z.scope = 'domestic') as "hasZone"`.execute(db)
  return rows[0] ?? { hasStation: false, accepts: false, delivers: false, hasZone: false }
}
