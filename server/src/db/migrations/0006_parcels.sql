create sequence tracking_serial;

create table parcels (
  account_id uuid not null references accounts (id),
  id uuid not null,
  created_by uuid not null,
  tracking_number text,
  reference text,
  scope text not null constraint parcels_scope check (scope in ('domestic', 'international')),
  service_type text constraint parcels_service_type check (service_type in ('e_parcel', 'semi_express', 'document')),
  service_code text,
  delivery_mode text constraint parcels_delivery_mode check (delivery_mode in ('D2D', 'D2P', 'P2D', 'P2P')),
  carrier text constraint parcels_carrier check (carrier in ('own', 'yunda', 'dhl')),
  -- snapshots of address fields, not links
  sender jsonb,
  receiver jsonb,
  drop_off_station_id uuid references stations (id),
  self_collection_station_id uuid references stations (id),
  content_type text,
  content_description text,
  declared_value_minor bigint,
  insured_value_minor bigint,
  cod_amount_minor bigint,
  weight_grams integer,
  length_mm integer,
  width_mm integer,
  height_mm integer,
  volumetric_grams integer,
  chargeable_grams integer,
  actual_grams integer,
  -- the frozen price: lines, figures, rate card and its version
  price jsonb,
  price_minor bigint,
  amount_due_minor bigint not null default 0,
  currency text not null,
  status text not null constraint parcels_status check (status in (
    'pending_payment', 'outstanding', 'pending', 'incart', 'pending_pickup', 'pending_dropoff', 'sorting', 'inbound', 'outbound', 'delivering',
    'completed', 'fail-to-deliver', 'collected', 'reverse_pickup', 'recall', 'cancel', 'refunded')),
  leg text not null default 'outbound' constraint parcels_leg check (leg in ('outbound', 'return')),
  -- where it is now, when a station has it
  station_id uuid references stations (id),
  -- true once it has been handed to us: tells the two meanings of outstanding apart
  handed_over boolean not null default false,
  order_id uuid,
  pickup_request_id uuid,
  expected_date date,
  last_event_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  receiver_name text generated always as (receiver ->> 'contactName') stored,
  search_text text generated always as (
    lower(coalesce(tracking_number, '') || ' ' || coalesce(reference, '') || ' ' || coalesce(receiver ->> 'contactName', '') || ' '
      || coalesce(receiver ->> 'phone', '') || ' ' || coalesce(sender ->> 'contactName', ''))
  ) stored,
  primary key (account_id, id)
);
create unique index parcels_id on parcels (id);
create unique index parcels_tracking_number on parcels (tracking_number) where tracking_number is not null;
create index parcels_created on parcels (account_id, created_at desc, id desc);
create index parcels_status_created on parcels (account_id, status, created_at desc, id desc);
create index parcels_search on parcels using gin (account_id, search_text gin_trgm_ops);
create index parcels_order on parcels (order_id) where order_id is not null;

-- Every transition writes one; partitioned by month. The default partition takes what no month has been made for.
create table tracking_events (
  account_id uuid not null,
  parcel_id uuid not null,
  id uuid not null,
  at timestamptz not null default now(),
  event text not null,
  from_status text,
  status text not null,
  leg text not null default 'outbound',
  station_id uuid,
  -- city-level: what the public may see
  place text,
  note text,
  actor_id uuid,
  detail jsonb not null default '{}',
  primary key (parcel_id, at, id)
) partition by range (at);
create table tracking_events_default partition of tracking_events default;
create index tracking_events_actor on tracking_events (actor_id, at desc) where actor_id is not null;

-- Makes the partition of the month that a day falls in; safe to repeat.
create function tracking_events_ensure_month(in_month date) returns void language plpgsql as $$
declare
  first_day date := date_trunc('month', in_month)::date;
  name text := 'tracking_events_' || to_char(first_day, 'YYYY_MM');
begin
  if to_regclass(name) is null then
    execute format('create table %I partition of tracking_events for values from (%L) to (%L)',
      name, first_day, (first_day + interval '1 month')::date);
  end if;
end $$;

create table parcel_proofs (
  account_id uuid not null,
  parcel_id uuid not null,
  recipient_name text not null,
  signature_path text,
  at timestamptz not null default now(),
  actor_id uuid,
  primary key (account_id, parcel_id)
);
