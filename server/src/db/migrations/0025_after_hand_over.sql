-- What a station's scale said of a parcel, and what came of it. `price_before` is what was paid for, `price_after` what the reading costs by the same rate card.
create table parcel_weighings (
  account_id uuid not null references accounts (id),
  id uuid not null,
  parcel_id uuid not null,
  tracking_number text not null,
  state text not null constraint parcel_weighings_state check (state in ('noted', 'open', 'accepted', 'contested', 'upheld', 'adjusted', 'waived')),
  station_id uuid references stations (id),
  weighed_by uuid not null,
  weight_grams integer not null constraint parcel_weighings_weight check (weight_grams > 0),
  length_mm integer,
  width_mm integer,
  height_mm integer,
  scale_reading text,
  photo_id uuid references attachments (id),
  declared_grams integer not null,
  price_before jsonb not null,
  price_after jsonb not null,
  -- positive: the sender owes it; negative: it went back to the wallet
  difference_minor bigint not null,
  -- of the difference, what has been paid
  paid_minor bigint not null default 0,
  currency text not null,
  -- until when the sender may contest; null where there is nothing to contest
  contest_until timestamptz,
  reason text,
  photo_ids uuid[] not null default '{}',
  contested_by uuid,
  contested_at timestamptz,
  decided_by uuid,
  decided_at timestamptz,
  decision_note text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index parcel_weighings_id on parcel_weighings (id);
create index parcel_weighings_parcel on parcel_weighings (account_id, parcel_id, created_at desc);
create index parcel_weighings_silent on parcel_weighings (contest_until) where state = 'open';
create index parcel_weighings_contested on parcel_weighings (contested_at, id) where state = 'contested';
create index parcel_weighings_decided on parcel_weighings (decided_at desc, id) where decided_at is not null;

-- What sender or receiver chose after a delivery that failed; one choice an attempt.
create table delivery_choices (
  account_id uuid not null references accounts (id),
  parcel_id uuid not null,
  -- the attempt that failed, from 1
  attempt integer not null,
  id uuid not null,
  kind text not null constraint delivery_choices_kind check (kind in ('retry', 'correct', 'divert', 'recall')),
  chosen_by text not null constraint delivery_choices_by check (chosen_by in ('sender', 'receiver', 'system')),
  user_id uuid,
  retry_on date,
  station_id uuid references stations (id),
  -- the receiver's address as it was before a correction
  receiver_before jsonb,
  fee_minor bigint not null default 0,
  currency text not null,
  at timestamptz not null default now(),
  primary key (account_id, parcel_id, attempt)
);

-- Last day on which a parcel can be collected at its station, in the deployment's time zone.
alter table parcels add column collect_until date;
alter table parcels add column collect_reminded_at timestamptz;
-- Until when the sender may contest a weight; null while there is nothing to contest.
alter table parcels add column contest_until timestamptz;
-- Somebody has chosen what follows the delivery that failed last; null again with the next scan.
alter table parcels add column choice_made boolean;
create index parcels_collecting on parcels (collect_until) where status = 'inbound' and collect_until is not null;
create index parcels_failed on parcels (last_event_at) where status = 'fail-to-deliver';
