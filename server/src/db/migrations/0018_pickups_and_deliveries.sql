-- Pickups that are asked for after the payment belong to no order.
alter table pickup_requests alter column order_id drop not null;
alter table pickup_requests
  add column rider_id uuid references users (id),
  add column started_at timestamptz,
  add column finished_at timestamptz,
  add column failure_reason text,
  add column failure_note text,
  -- fetched although another pickup, or none, was asked for them; and expected, but not there
  add column extra_parcel_ids uuid[] not null default '{}',
  add column missing_parcel_ids uuid[] not null default '{}';
create unique index pickup_requests_id on pickup_requests (id);
create index pickup_requests_station_day on pickup_requests (station_id, pickup_date, pickup_window);
create index pickup_requests_rider on pickup_requests (rider_id, pickup_date) where rider_id is not null;

-- How many pickups the riders of a station make in one window; a station without a row makes as many as the code says.
create table station_pickup_capacity (
  station_id uuid primary key references stations (id),
  per_window integer not null constraint station_pickup_capacity_positive check (per_window >= 0)
);

create index parcels_pickup on parcels (pickup_request_id) where pickup_request_id is not null;
-- Paid parcels that wait for a rider, whether or not one has been asked for.
create index parcels_waiting_for_rider on parcels (account_id, created_at) where status = 'pending_pickup';

-- A parcel on its way to the door: who has it, and how it went. A second attempt opens the task of the first again.
create table delivery_tasks (
  account_id uuid not null references accounts (id),
  id uuid not null,
  parcel_id uuid not null,
  status text not null constraint delivery_tasks_status check (status in ('new', 'open', 'in_progress', 'failed', 'completed')),
  rider_id uuid references users (id),
  station_id uuid references stations (id),
  attempts integer not null default 1,
  failure_reason text,
  failure_note text,
  started_at timestamptz,
  finished_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index delivery_tasks_parcel on delivery_tasks (account_id, parcel_id);
create unique index delivery_tasks_id on delivery_tasks (id);
create index delivery_tasks_rider on delivery_tasks (rider_id, updated_at desc);
create index delivery_tasks_station on delivery_tasks (station_id, updated_at desc);

alter table parcel_proofs
  -- which document the recipient showed, and the last characters of its number
  add column id_document text,
  add column id_last4 text,
  -- what the recipient paid at the door or the counter
  add column cod_collected_minor bigint constraint parcel_proofs_cod check (cod_collected_minor > 0);
