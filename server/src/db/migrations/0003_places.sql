create table addresses (
  account_id uuid not null references accounts (id),
  id uuid not null,
  label text,
  kind text not null default 'both' constraint addresses_kind check (kind in ('sender', 'receiver', 'both')),
  contact_name text not null,
  company text,
  phone text not null,
  email text,
  line1 text not null,
  line2 text,
  postcode text not null,
  city text not null,
  state text not null,
  country text not null,
  residential boolean not null default true,
  remarks text,
  is_default boolean not null default false,
  search_text text generated always as (
    lower(coalesce(label, '') || ' ' || contact_name || ' ' || coalesce(company, '') || ' ' || phone || ' ' || coalesce(email, '') || ' '
      || line1 || ' ' || coalesce(line2, '') || ' ' || postcode || ' ' || city || ' ' || state || ' ' || coalesce(remarks, ''))
  ) stored,
  version integer not null default 1,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index addresses_one_default on addresses (account_id) where is_default;
create index addresses_search on addresses using gin (account_id, search_text gin_trgm_ops);
create index addresses_updated on addresses (account_id, updated_at desc, id desc);

create table stations (
  id uuid primary key,
  code text not null constraint stations_code_unique unique,
  name text not null,
  type text not null constraint stations_type check (type in ('warehouse', 'service_center_t1', 'service_center_t2', 'service_center_3rd_party')),
  line1 text not null,
  postcode text not null,
  city text not null,
  state text not null,
  country text not null default 'my',
  latitude double precision not null,
  longitude double precision not null,
  phone text not null,
  -- seven entries, Monday first: null or {"open":"09:00","close":"18:00"}
  opening_hours jsonb not null,
  service_codes text[] not null default '{}',
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index stations_type on stations (type, state) where active;

-- Postcodes that a station serves. Malaysian postcodes are five digits, so text order is number order.
create table station_coverage (
  station_id uuid not null references stations (id),
  country text not null default 'my',
  postcode_from text not null,
  postcode_to text not null,
  cut_off_time text not null default '16:00',
  primary key (station_id, country, postcode_from)
);
create index station_coverage_range on station_coverage (country, postcode_from, postcode_to);

create table zones (
  id uuid primary key,
  code text not null constraint zones_code_unique unique,
  name text not null,
  scope text not null constraint zones_scope check (scope in ('domestic', 'international')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A zone is a set of postcode ranges and states (domestic) or countries (international); the narrowest match wins.
create table zone_areas (
  id uuid primary key,
  zone_id uuid not null references zones (id),
  country text not null,
  state text,
  postcode_from text,
  postcode_to text,
  -- a surcharge for places that are hard to reach, minor units
  remote_surcharge_minor integer not null default 0
);
create index zone_areas_country on zone_areas (country);
