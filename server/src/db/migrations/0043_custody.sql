-- Who holds a parcel, so that nobody else moves it unnoticed. `station_id` is the station that has it, or whose rider
-- has it; `next_station_id` is where it was sent.
alter table parcels
  add column holder text not null default 'customer'
    constraint parcels_holder check (holder in ('customer', 'station', 'rider', 'gunny', 'carrier')),
  add column rider_id uuid references users (id),
  add column next_station_id uuid references stations (id),
  -- The pickup at the recipient's. `pickup_request_id` keeps saying how it was fetched from its sender.
  add column return_pickup_id uuid;

create index parcels_return_pickup on parcels (return_pickup_id) where return_pickup_id is not null;
-- Parcels for which a rider is to come, on the way out and on the way back.
drop index parcels_waiting_for_rider;
create index parcels_waiting_for_rider on parcels (account_id, created_at)
  where status in ('pending_pickup', 'reverse_pickup');

-- A pickup on the way back fetches from the recipient.
alter table pickup_requests add column leg text not null default 'outbound'
  constraint pickup_requests_leg check (leg in ('outbound', 'return'));

-- What is under way when this is applied.
update parcels set holder = case
    when status in ('delivering', 'fail-to-deliver') then 'rider'
    when status = 'outbound' or (status = 'recall' and station_id is null) or (carrier <> 'own' and station_id is null)
      then 'carrier'
    else 'station' end
  where handed_over and status in ('inbound', 'sorting', 'outstanding', 'outbound', 'delivering', 'fail-to-deliver', 'recall');
update parcels p set rider_id = t.rider_id, station_id = coalesce(p.station_id, t.station_id)
  from delivery_tasks t
  where p.holder = 'rider' and t.account_id = p.account_id and t.parcel_id = p.id;
update parcels p set next_station_id = (
    select (e.detail ->> 'nextStationId')::uuid from tracking_events e
    where e.parcel_id = p.id and e.event = 'departed' order by e.at desc limit 1)
  where p.holder = 'carrier';
update parcels p set holder = 'gunny'
  from gunnies g
  where g.account_id = p.account_id and g.id = p.gunny_id
    and ((g.status = 'at_station' and p.status in ('inbound', 'sorting') and p.station_id = g.station_id)
      or (g.status = 'in_transit' and p.status = 'outbound'));
