-- no transaction
-- A lost parcel keeps the station that had it last, which lists it: so far its holder, a carrier, had none.
drop index concurrently if exists parcels_lost;
create index concurrently parcels_lost on parcels (station_id, last_event_at, id) where status = 'lost';

-- Earlier losses: the station of their last scan. They are few, and are committed one by one.
do $$
declare gone record;
begin
  for gone in select account_id, id, created_at from parcels where status = 'lost' and station_id is null loop
    update parcels p set station_id = (
        select e.station_id from tracking_events e
        where e.parcel_id = p.id and e.at >= gone.created_at and e.station_id is not null
        order by e.at desc limit 1)
      where p.account_id = gone.account_id and p.id = gone.id and p.status = 'lost';
    commit;
  end loop;
end $$;
