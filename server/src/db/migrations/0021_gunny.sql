-- Sacks of parcels that a sender drops off together. The serial shipping container code (SSCC-18) and the short number come from one sequence.
create sequence gunny_serial;

create table gunnies (
  account_id uuid not null references accounts (id),
  id uuid not null,
  created_by uuid not null,
  serial bigint not null,
  number text not null,
  sscc text not null,
  status text not null default 'open' constraint gunnies_status check (status in ('open', 'at_station', 'in_transit', 'closed', 'dissolved')),
  -- where it is to be handed over; null: at any counter
  drop_off_station_id uuid references stations (id),
  -- where it is, or where it was last
  station_id uuid references stations (id),
  -- where it is going, while it is on its way
  next_station_id uuid references stations (id),
  seal_number text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index gunnies_id on gunnies (id);
create unique index gunnies_number on gunnies (number);
create unique index gunnies_sscc on gunnies (sscc);
create index gunnies_created on gunnies (account_id, created_at desc, id desc);
create index gunnies_status_created on gunnies (status, updated_at desc, id desc);

-- A parcel is in one gunny at most: the last one that it was in.
alter table parcels add column gunny_id uuid;
create index parcels_gunny on parcels (account_id, gunny_id) where gunny_id is not null;

-- Every time that a station counted a sack: what it should hold against what was scanned. Numbers rather than ids: what was scanned may be anybody's.
create table gunny_checks (
  account_id uuid not null,
  gunny_id uuid not null,
  id uuid not null,
  event text not null constraint gunny_checks_event check (event in ('received', 'departed', 'arrived')),
  at timestamptz not null,
  actor_id uuid not null,
  station_id uuid not null references stations (id),
  next_station_id uuid references stations (id),
  -- the seal was whole, so nobody opened the sack
  sealed boolean not null default false,
  expected text[] not null,
  moved text[] not null,
  missing text[] not null,
  extra text[] not null,
  refused jsonb not null default '[]',
  unknown text[] not null,
  primary key (account_id, gunny_id, id)
);

-- A large print: which parcels, how, and how far it has got.
create table print_runs (
  account_id uuid not null references accounts (id),
  id uuid not null,
  created_by uuid not null,
  format text not null constraint print_runs_format check (format in ('a6', '4x6', 'a4', 'zpl')),
  start_at integer not null default 1,
  parcel_ids uuid[] not null,
  printed integer not null default 0,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index print_runs_created on print_runs (created_at);

-- A company's own artwork on its consignment notes. The latest approved one is printed.
create table account_artworks (
  account_id uuid not null references accounts (id),
  id uuid not null,
  attachment_id uuid not null,
  created_by uuid not null,
  status text not null constraint account_artworks_status check (status in (
    'draft.in_progress', 'draft.ready', 'draft.rejected', 'draft.completed', 'artwork.rejected', 'artwork.approved')),
  -- why it was sent back
  remark text,
  decided_by uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index account_artworks_id on account_artworks (id);
create index account_artworks_status_updated on account_artworks (status, updated_at desc);
