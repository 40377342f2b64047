-- What a station has to try again, or to wait for: its parcels whose delivery failed, which are few of all it has.
create index parcels_failed_at_station on parcels (station_id) where status = 'fail-to-deliver';
