-- Cash at the counters: a drawer a station and day, from its float to its count. What is in it is what its movements come to; the books have every one of them.
create table cash_drawers (
  id uuid primary key,
  station_id uuid not null references stations (id),
  day date not null,
  currency text not null,
  -- what the drawer before it left in the till, what was found and brought, what should be in it now
  carried_minor bigint not null,
  float_minor bigint not null constraint cash_drawers_float check (float_minor >= 0),
  balance_minor bigint not null constraint cash_drawers_balance check (balance_minor >= 0),
  float_reason text,
  opened_by uuid not null,
  opened_at timestamptz not null,
  counted_minor bigint constraint cash_drawers_counted check (counted_minor >= 0),
  -- [{valueMinor, count}], where it was counted piece by piece
  pieces jsonb,
  difference_minor bigint,
  reason text,
  closed_by uuid,
  closed_at timestamptz,
  version integer not null default 1,
  constraint cash_drawers_once_a_day unique (station_id, day),
  constraint cash_drawers_signed_off check ((closed_at is null) = (counted_minor is null) and (closed_at is null) = (closed_by is null)),
  constraint cash_drawers_sum check (closed_at is null or counted_minor = balance_minor + difference_minor),
  constraint cash_drawers_explained check (coalesce(difference_minor, 0) = 0 or reason is not null)
);
create unique index cash_drawers_one_open on cash_drawers (station_id) where closed_at is null;
create index cash_drawers_days on cash_drawers (day desc, id);

create table cash_movements (
  drawer_id uuid not null references cash_drawers (id),
  id uuid not null,
  kind text not null constraint cash_movements_kind check (kind in ('sale', 'cash_in', 'cash_out', 'bank', 'hand_in')),
  -- positive: into the drawer
  amount_minor bigint not null,
  balance_after_minor bigint not null,
  -- an order's number, a rider's name, a bank's slip
  reference text,
  reason text,
  -- of a sale: what was handed over, and what it paid
  given_minor bigint,
  account_id uuid,
  order_id uuid,
  payment_id uuid,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (drawer_id, id)
);

-- The recipient's money for a parcel: taken once, handed in once, paid out once.
create table cod_collections (
  account_id uuid not null references accounts (id),
  parcel_id uuid not null,
  tracking_number text,
  amount_minor bigint not null constraint cod_collections_amount check (amount_minor > 0),
  currency text not null,
  -- whose books the money is in, and whose hands until it is in a drawer
  station_id uuid references stations (id),
  collected_by uuid not null,
  collected_at timestamptz not null,
  handed_in_at timestamptz,
  drawer_id uuid,
  payout_id uuid,
  primary key (account_id, parcel_id)
);
create index cod_collections_held on cod_collections (collected_by) where handed_in_at is null;
create index cod_collections_owed on cod_collections (account_id, collected_at) where payout_id is null;
create index cod_collections_newest on cod_collections (account_id, collected_at desc, parcel_id);
create index cod_collections_payout on cod_collections (account_id, payout_id) where payout_id is not null;

create sequence cod_payout_serial;
create table cod_payouts (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text not null constraint cod_payouts_number unique,
  currency text not null,
  parcel_count integer not null constraint cod_payouts_parcels check (parcel_count > 0),
  collected_minor bigint not null,
  fee_minor bigint not null constraint cod_payouts_fee check (fee_minor >= 0 and fee_minor < collected_minor),
  -- null: the weekly payout
  created_by uuid,
  created_at timestamptz not null,
  primary key (account_id, id)
);
create index cod_payouts_newest on cod_payouts (created_at desc, id);

-- Staff looks for entries by day, by what people read in them, and by their order or payment.
create index journal_entries_newest on journal_entries (created_at desc, id);
create index journal_entries_reference on journal_entries (reference text_pattern_ops) where reference is not null;
create index journal_entries_order on journal_entries (order_id) where order_id is not null;
create index journal_entries_payment on journal_entries (payment_id) where payment_id is not null;
create index journal_postings_amount on journal_postings (abs(amount_minor), created_at desc);
