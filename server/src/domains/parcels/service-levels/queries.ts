/** Queries on deliveries of a period, for reports. */

import type { ServiceType } from '@waybill/contract/ground/enums/parcel-enums'
import { deliveredStatuses, movingStatuses } from '@waybill/contract/ground/status/parcel-status'
import { type RawBuilder, sql } from 'kysely'
import { dayBegin, dayEnd } from '../../../db/conditions/local-days.ts'
import { type DbOrTx, literals } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'

/** The selected parcels: of one account (`createdBy` null: of all its users), or of all accounts. */
export type DeliveryScope = { accountId: AccountId; createdBy: string | null } | 'all'
/** Days in a time zone, both included. */
export type DeliveryPeriod = { from: string; to: string; timeZone: string }

const inPeriod = (column: RawBuilder<unknown>, { from, to, timeZone }: DeliveryPeriod) => sql`
      ${column} >= ${dayBegin(from, timeZone)} and ${column} < ${dayEnd(to, timeZone)}`

const ofAccount = (table: 'p' | 't', scope: DeliveryScope) =>
  scope === 'all' ? sql`true` : sql`${sql.ref(`${table}.account_id`)} = ${scope.accountId}::uuid`

const ofCreator = (scope: DeliveryScope) =>
  scope === 'all' || scope.createdBy === null ? sql`true` : sql`p.created_by = ${scope.createdBy}::uuid`

export type DeliveredRow = { service_type: ServiceType | null; delivered: number; on_time: number; late: number }

/** Parcels that arrived in the period, by service. The first promised day counts, not a revised one. */
export async function countDelivered(
  db: DbOrTx,
  scope: DeliveryScope,
  period: DeliveryPeriod,
): Promise<DeliveredRow[]> {
  const arrivedOn = sql`(p.last_event_at at time zone ${period.timeZone}::text)::date`
  const promised = sql`coalesce(p.promised_date, p.expected_date)`
  const { rows } = await sql<DeliveredRow>`
    select p.service_type, count(*)::int as delivered,
      (count(*) filter (where ${arrivedOn} <= ${promised}))::int as on_time,
      (count(*) filter (where ${arrivedOn} > ${promised}))::int as late
    from parcels p
    where ${ofAccount('p', scope)} and ${ofCreator(scope)} and p.status in (${literals(deliveredStatuses)})
      and p.leg = 'outbound' and ${inPeriod(sql`p.last_event_at`, period)}
    group by p.service_type`.execute(db)
  return rows
}

export type AttemptRow = { service_type: ServiceType | null; attempted: number; first_attempt: number }

/** Deliveries to the door that ended in the period, by service, and those that succeeded at the first attempt. */
export async function countAttempts(db: DbOrTx, scope: DeliveryScope, period: DeliveryPeriod): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select p.service_type, count(*)::int as attempted,
      (count(*) filter (where t.status = 'completed' and t.attempts = 1))::int as first_attempt
    from delivery_tasks t
    join parcels p on p.account_id = t.account_id and p.id = t.parcel_id
    where ${ofAccount('t', scope)} and ${ofCreator(scope)} and t.status in ('completed', 'failed')
      and ${inPeriod(sql`t.finished_at`, period)}
    group by p.service_type`.execute(db)
  return rows
}

export type LateRow = { station_id: string | null; parcels: number; oldest_day: string }

/**
 * Parcels in transit that are past their originally promised day, most first. A parcel counts for the station that has
 * it, whose rider has it, or that it is on its way to; null: none of these is known.
 */
export async function countLateByStation(db: DbOrTx, today: string): Promise<LateRow[]> {
  const { rows } = await sql<LateRow>`
    select coalesce(p.station_id, t.station_id, p.next_station_id) as station_id, count(*)::int as parcels,
      min(coalesce(p.promised_date, p.expected_date))::text as oldest_day
    from parcels p
    left join delivery_tasks t on t.account_id = p.account_id and t.parcel_id = p.id
    where p.status in (${literals(movingStatuses)}) and p.leg = 'outbound'
      and coalesce(p.promised_date, p.expected_date) < ${today}::date
    group by 1
    order by count(*) desc, 1`.execute(db)
  return rows
}
