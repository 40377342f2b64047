import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'

/** Who the demo's counters and riders log in as: one of Kuala Lumpur has the work of the day. */
const rider = 'kl@waybill.example'

/**
 * The riders' tasks behind the parcels and pickups of the demo: each pickup that is past asking has a rider, each
 * parcel that went out for delivery its task. Written from what the timelines say, so that no task says otherwise: the
 * rider of a task is who has, or had, its parcel. The pickups to come today are those of the station that visitors log
 * in to.
 */
export async function seedTasks(trx: Tx): Promise<void> {
  await sql`
    update pickup_requests p set rider_id = u.id, started_at = case when p.status in ('open', 'new') then null else p.updated_at end,
      finished_at = case when p.status in ('completed', 'failed') then p.updated_at end,
      failure_reason = case when p.status = 'failed' then 'nobody_there' end, version = 2
    from users u where u.email = ${rider} and p.status <> 'new'`.execute(trx)
  // Whoever fetched the parcels was the rider.
  await sql`
    update pickup_requests p set rider_id = e.actor_id
    from parcels q join tracking_events e on e.account_id = q.account_id and e.parcel_id = q.id and e.event = 'picked_up'
    where q.account_id = p.account_id and q.pickup_request_id = p.id and p.status = 'completed' and e.actor_id is not null`.execute(
    trx,
  )
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
        (array_agg(e.detail ->> 'failureReason' order by e.at desc) filter (where e.event = 'attempt_failed'))[1] as reason,
        (array_agg(e.actor_id order by e.at desc) filter (where e.event in ('out_for_delivery', 'next_attempt')))[1] as rider
      from tracking_events e where e.parcel_id = p.id and e.account_id = p.account_id
    ) tries on tries.count > 0
    join users u on u.id = tries.rider
    where p.status in ('delivering', 'fail-to-deliver', 'completed') and p.last_event_at > (select max(last_event_at) from parcels) - interval '14 days'
    on conflict do nothing`.execute(trx)
}

/** The pickups of returns: what waits at its receiver's has one to come, what has been fetched has one that is done. */
export async function seedReturns(trx: Tx, now: Date): Promise<void> {
  const id = sql`overlay(overlay(md5('return ' || p.id::text) placing '4' from 13) placing '8' from 17)::uuid`
  await sql`
    insert into pickup_requests (account_id, id, number, leg, status, address, pickup_date, pickup_window, parcel_count, station_id,
      rider_id, started_at, finished_at, created_at, updated_at)
    select p.account_id, ${id}, 'PU-' || lpad(nextval('pickup_serial')::text, 8, '0'), 'return',
      case when f.at is null then 'new' else 'completed' end, p.receiver,
      (coalesce(f.at, ${now}::timestamptz + interval '1 day') at time zone 'Asia/Kuala_Lumpur')::date, '09:00-12:00', 1,
      coalesce(f.station_id, o.station_id), f.actor_id, f.at, f.at, r.at, coalesce(f.at, r.at)
    from parcels p
    join tracking_events r on r.account_id = p.account_id and r.parcel_id = p.id and r.event = 'return_requested'
    left join tracking_events f on f.account_id = p.account_id and f.parcel_id = p.id and f.event = 'return_picked_up'
    left join lateral (
      select e.station_id from tracking_events e
      where e.account_id = p.account_id and e.parcel_id = p.id and e.station_id is not null order by e.at desc limit 1
    ) o on true
    order by r.at, p.id`.execute(trx)
  await sql`
    update parcels p set return_pickup_id = k.id
    from pickup_requests k where k.account_id = p.account_id and k.leg = 'return' and k.id = ${id}`.execute(trx)
}
