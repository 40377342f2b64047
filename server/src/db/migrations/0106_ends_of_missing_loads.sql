-- no transaction
-- When housekeeping saw that a missing load had arrived, gone on, been emptied or been lost; null: it may be missing.
-- The list of what is missing reads only those: so far it examined every load that was ever missing.
alter table trip_loads add column if not exists missing_until timestamptz;
drop index concurrently if exists trip_loads_may_be_missing;
create index concurrently trip_loads_may_be_missing on trip_loads (missing_at desc, id desc)
  where missing_at is not null and missing_until is null;
drop index concurrently if exists trip_loads_missing;
