-- What is missing from trips, over all of them.
create index trip_loads_missing on trip_loads (missing_at desc, id desc) where missing_at is not null;
