-- no transaction
-- replaces 96fd7517747a062f203dd7d45532c479f54b9727c679dc7feaa8425735aedad0
-- Who holds a parcel, so that nobody else moves it unnoticed. `station_id` is the station that has it, or whose rider
-- has it; `next_station_id` is where it was sent.
alter table parcels
  add column if not exists holder text not null default 'customer',
  add column if not exists rider_id uuid,
  add column if not exists next_station_id uuid,
  -- The pickup at the recipient's. `pickup_request_id` keeps saying how it was fetched from its sender.
  add column if not exists return_pickup_id uuid;
alter table parcels
  drop constraint if exists parcels_holder,
  drop constraint if exists parcels_rider_id_fkey,
  drop constraint if exists parcels_next_station_id_fkey;
alter table parcels
  add constraint parcels_holder check (holder in ('customer', 'station', 'rider', 'gunny', 'carrier')) not valid,
  add constraint parcels_rider_id_fkey foreign key (rider_id) references users (id) not valid,
  add constraint parcels_next_station_id_fkey foreign key (next_station_id) references stations (id) not valid;
alter table parcels validate constraint parcels_holder;
alter table parcels validate constraint parcels_rider_id_fkey;
alter table parcels validate constraint parcels_next_station_id_fkey;

drop index concurrently if exists parcels_return_pickup;
create index concurrently parcels_return_pickup on parcels (return_pickup_id) where return_pickup_id is not null;
-- Parcels for which a rider is to come, on the way out and on the way back.
drop index concurrently if exists parcels_waiting_for_rider;
create index concurrently parcels_waiting_for_rider on parcels (account_id, created_at)
  where status in ('pending_pickup', 'reverse_pickup');

-- A pickup on the way back fetches from the recipient.
alter table pickup_requests add column if not exists leg text not null default 'outbound'
  constraint pickup_requests_leg check (leg in ('outbound', 'return'));

-- Parcels that are on the way during the migration. Every batch is committed, so that row locks are short.
create temporary table moving as
  select account_id, id, (row_number() over () - 1) / 1000 as batch
  from parcels
  where handed_over
    and status in ('inbound', 'sorting', 'outstanding', 'outbound', 'delivering', 'fail-to-deliver', 'recall');
create index on moving (batch);
do $$
begin
  for n in 0 .. (select coalesce(max(batch), -1) from moving) loop
    update parcels p set holder = case
        when p.status in ('delivering', 'fail-to-deliver') then 'rider'
        when p.status = 'outbound' or (p.status = 'recall' and p.station_id is null)
          or (p.carrier <> 'own' and p.station_id is null)
          then 'carrier'
        else 'station' end
      from moving m
      where m.batch = n and p.account_id = m.account_id and p.id = m.id and p.handed_over
        and p.status in ('inbound', 'sorting', 'outstanding', 'outbound', 'delivering', 'fail-to-deliver', 'recall');
    update parcels p set rider_id = t.rider_id, station_id = coalesce(p.station_id, t.station_id)
      from moving m, delivery_tasks t
      where m.batch = n and p.account_id = m.account_id and p.id = m.id
        and p.holder = 'rider' and t.account_id = p.account_id and t.parcel_id = p.id;
    update parcels p set next_station_id = (
        select (e.detail ->> 'nextStationId')::uuid from tracking_events e
        where e.parcel_id = p.id and e.event = 'departed' order by e.at desc limit 1)
      from moving m
      where m.batch = n and p.account_id = m.account_id and p.id = m.id and p.holder = 'carrier';
    update parcels p set holder = 'gunny'
      from moving m, gunnies g
      where m.batch = n and p.account_id = m.account_id and p.id = m.id
        and g.account_id = p.account_id and g.id = p.gunny_id
        and ((g.status = 'at_station' and p.status in ('inbound', 'sorting') and p.station_id = g.station_id)
          or (g.status = 'in_transit' and p.status = 'outbound'));
    commit;
  end loop;
end $$;
drop table moving;
