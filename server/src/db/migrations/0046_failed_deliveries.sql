-- no transaction
-- replaces 96a1ba9527dc7e0ec54101a6315a9f5e4a14d2e95f69581873bfa73283c15354
-- What a station has to try again, or to wait for: its parcels whose delivery failed, which are few of all it has.
drop index concurrently if exists parcels_failed_at_station;
create index concurrently parcels_failed_at_station on parcels (station_id) where status = 'fail-to-deliver';
