-- A parcel's booking at another carrier. One a parcel: whatever happens, nobody books twice.
create table carrier_bookings (
  account_id uuid not null references accounts (id),
  parcel_id uuid not null,
  carrier text not null constraint carrier_bookings_carrier check (carrier in ('own', 'yunda', 'dhl')),
  -- our number of the parcel: what its sender calls it
  tracking_number text not null,
  state text not null default 'waiting' constraint carrier_bookings_state check (state in ('waiting', 'booked', 'failed', 'cancelled')),
  carrier_number text,
  simulated boolean not null default false,
  -- a request went out and its answer may have been lost: ask before asking again
  sent boolean not null default false,
  -- tries since somebody last said "try again"
  attempts integer not null default 0,
  problem text,
  -- the carrier's own words
  problem_said text,
  -- when the next step is due; null: there is none
  next_try_at timestamptz default now(),
  -- one process at a time: nobody else takes the step before
  leased_until timestamptz,
  cancel_requested boolean not null default false,
  booked_at timestamptz,
  -- tracking: next look at the carrier's checkpoints; null: the journey is over or has not begun
  next_look_at timestamptz,
  subscribed boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, parcel_id)
);
create unique index carrier_bookings_parcel on carrier_bookings (parcel_id);
create index carrier_bookings_due on carrier_bookings (next_try_at) where next_try_at is not null;
create index carrier_bookings_look on carrier_bookings (carrier, next_look_at) where next_look_at is not null;
create index carrier_bookings_number on carrier_bookings (carrier_number text_pattern_ops) where carrier_number is not null;
create index carrier_bookings_tracking_number on carrier_bookings (tracking_number text_pattern_ops);
create index carrier_bookings_list on carrier_bookings (state, updated_at desc, parcel_id);
create index carrier_bookings_updated on carrier_bookings (updated_at desc, parcel_id);

-- The carrier's label as it came.
create table carrier_labels (
  account_id uuid not null,
  parcel_id uuid not null,
  pdf bytea not null,
  at timestamptz not null,
  primary key (account_id, parcel_id)
);

-- Checkpoints that have been told to the parcel, so that each is told once.
create table carrier_checkpoints (
  account_id uuid not null,
  parcel_id uuid not null,
  -- minute and meaning
  key text not null,
  code text not null,
  at timestamptz not null,
  primary key (parcel_id, key)
);
