-- The courier's own transport between stations: bags of parcels, and trips of vehicles with what they load.
create sequence trip_serial;

-- Bags share the serials of gunnies: both have an SSCC, which must be unique.
create table bags (
  id uuid primary key,
  number text not null unique,
  sscc text not null unique,
  status text not null default 'open'
    constraint bags_status check (status in ('open', 'sealed', 'in_transit', 'at_station', 'emptied')),
  -- where it is, or where it departed last
  station_id uuid not null references stations (id),
  to_station_id uuid not null references stations (id),
  -- where it arrives next, while it is on the way
  next_station_id uuid references stations (id),
  seal_number text,
  created_by uuid not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index bags_updated on bags (updated_at desc, id desc);
create index bags_status_updated on bags (status, updated_at desc, id desc);

-- The parcels that were put into a bag. Those that have left it alone are recognised by their custody.
create table bag_parcels (
  bag_id uuid not null references bags (id),
  account_id uuid not null,
  parcel_id uuid not null,
  added_by uuid not null,
  added_at timestamptz not null,
  primary key (bag_id, parcel_id)
);
create index bag_parcels_parcel on bag_parcels (parcel_id);

create table trips (
  id uuid primary key,
  number text not null unique,
  status text not null default 'loading'
    constraint trips_status check (status in ('loading', 'under_way', 'unloading', 'closed', 'cancelled')),
  from_station_id uuid not null references stations (id),
  to_station_id uuid not null references stations (id),
  vehicle text not null,
  driver_name text not null,
  seal_number text,
  seal text constraint trips_seal check (seal in ('intact', 'broken', 'none')),
  -- of the manifest
  load_count integer not null default 0,
  parcel_count integer not null default 0,
  weight_grams bigint not null default 0,
  -- loads, set when the trip is closed
  missing_count integer not null default 0,
  extra_count integer not null default 0,
  created_by uuid not null,
  departed_at timestamptz,
  arrived_at timestamptz,
  closed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null
);
create index trips_created on trips (created_at desc, id desc);
create index trips_status_created on trips (status, created_at desc, id desc);
create index trips_from on trips (from_station_id, created_at desc, id desc);
create index trips_to on trips (to_station_id, created_at desc, id desc);

-- What a trip takes along, or what was unloaded from it without being on its manifest (loaded_at is null).
create table trip_loads (
  trip_id uuid not null references trips (id),
  id uuid not null,
  kind text not null constraint trip_loads_kind check (kind in ('parcel', 'bag', 'gunny')),
  -- the account of a parcel
  account_id uuid,
  parcel_id uuid,
  bag_id uuid references bags (id),
  gunny_id uuid,
  parcel_count integer not null,
  weight_grams integer not null,
  loaded_by uuid,
  loaded_at timestamptz,
  unloaded_by uuid,
  unloaded_at timestamptz,
  -- when the trip was closed without it
  missing_at timestamptz,
  primary key (trip_id, id),
  constraint trip_loads_one check (num_nonnulls(parcel_id, bag_id, gunny_id) = 1)
);
create unique index trip_loads_parcel on trip_loads (parcel_id, trip_id) where parcel_id is not null;
create unique index trip_loads_bag on trip_loads (bag_id, trip_id) where bag_id is not null;
create unique index trip_loads_gunny on trip_loads (gunny_id, trip_id) where gunny_id is not null;
