import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'

/** Who the demo's counters and riders log in as: one of Kuala Lumpur has the work of the day. */
const rider = 'kl@waybill.example'

/**
 * The riders' tasks behind the parcels and pickups of the demo: each pickup that is past asking has a rider, each parcel that went out for delivery its task. Written from
 * what the timelines say, so that no task says otherwise. What waits at other stations today is given to the rider whom visitors log in as.
 */
export async function seedTasks(trx: Tx): Promise<void> {
  await sql`
    update pickup_requests p set rider_id = u.id, started_at = case when p.status in ('open', 'new') then null else p.updated_at end,
      finished_at = case when p.status in ('completed', 'failed') then p.updated_at end,
      failure_reason = case when p.status = 'failed' then 'nobody_there' end, version = 2
    from users u where u.email = ${rider} and p.status <> 'new'`.execute(trx)
  // The day's work of one station shows every status.
  await sql`
    update pickup_requests p set station_id = u.station_id
    from users u where u.email = ${rider} and u.station_id is not null and p.status in ('new', 'open', 'in_progress', 'failed')`.execute(
    trx,
  )
  // Ids that say of themselves that they are random ones (version 4): the calls take no others.
  await sql`
    insert into delivery_tasks (account_id, id, parcel_id, status, rider_id, station_id, attempts, failure_reason, started_at, finished_at,
      created_at, updated_at)
    select p.account_id, overlay(overlay(md5('delivery ' || p.id::text) placing '4' from 13) placing '8' from 17)::uuid, p.id,
      case p.status when 'delivering' then 'open' when 'fail-to-deliver' then 'failed' else 'completed' end, u.id, u.station_id, tries.count,
      case when p.status = 'fail-to-deliver' then tries.reason end, case when p.status = 'delivering' then null else p.last_event_at end,
      case when p.status = 'delivering' then null else p.last_event_at end, tries.first, p.last_event_at
    from parcels p
    join lateral (
      select count(*) filter (where e.event in ('out_for_delivery', 'next_attempt'))::int as count,
        min(e.at) filter (where e.event = 'out_for_delivery') as first,
        (array_agg(e.detail ->> 'failureReason' order by e.at desc) filter (where e.event = 'attempt_failed'))[1] as reason
      from tracking_events e where e.parcel_id = p.id and e.account_id = p.account_id
    ) tries on tries.count > 0
    join users u on u.email = ${rider}
    where p.status in ('delivering', 'fail-to-deliver', 'completed') and p.last_event_at > (select max(last_event_at) from parcels) - interval '14 days'
    on conflict do nothing`.execute(trx)
}
