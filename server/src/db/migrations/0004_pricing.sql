-- A rate card is never changed once it is in use: a new version replaces it, so that an old price can be replayed.
create table rate_cards (
  id uuid primary key,
  code text not null,
  version integer not null,
  name text not null,
  currency text not null,
  valid_from date not null,
  valid_to date,
  -- a card of one account only
  account_id uuid references accounts (id),
  created_at timestamptz not null default now(),
  constraint rate_cards_version unique (code, version)
);

create table rate_lines (
  id uuid primary key,
  rate_card_id uuid not null references rate_cards (id),
  scope text not null constraint rate_lines_scope check (scope in ('domestic', 'international')),
  service_type text not null constraint rate_lines_service_type check (service_type in ('e_parcel', 'semi_express', 'document')),
  carrier text not null,
  origin_zone text not null,
  destination_zone text not null,
  first_weight_grams integer not null,
  first_price_minor integer not null,
  step_weight_grams integer not null,
  step_price_minor integer not null,
  min_weight_grams integer not null default 1,
  max_weight_grams integer not null,
  transit_days integer not null,
  constraint rate_lines_unique unique (rate_card_id, scope, service_type, carrier, origin_zone, destination_zone, min_weight_grams)
);

create table holidays (
  day date not null,
  -- null: the whole country
  state text,
  name text not null
);
create unique index holidays_day on holidays (day, coalesce(state, ''));
