-- no transaction
-- The parcels that a station has, by their last scan.
drop index concurrently if exists parcels_at_station;
create index concurrently parcels_at_station on parcels (station_id, last_event_at, id) where holder = 'station';
