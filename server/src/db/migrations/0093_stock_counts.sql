-- no transaction
-- Counts of what a station has. Numbers that were expected and not scanned are missing until their next event.
create table if not exists stock_counts (
  station_id uuid not null references stations (id),
  id uuid not null,
  counted_by uuid not null,
  -- Parcels with an event after the start are neither missing nor extra.
  started_at timestamptz not null,
  counted_at timestamptz not null,
  expected integer not null,
  found integer not null,
  missing text[] not null,
  extra text[] not null,
  unknown text[] not null,
  primary key (station_id, id)
);
create index if not exists stock_counts_newest on stock_counts (station_id, counted_at desc, id desc);
