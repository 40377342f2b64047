create sequence order_serial;
create sequence pickup_serial;

create table orders (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text not null constraint orders_number_unique unique,
  created_by uuid not null,
  status text not null constraint orders_status check (status in ('pending_payment', 'outstanding', 'pending', 'completed', 'cancel', 'refunded')),
  currency text not null,
  total_minor bigint not null,
  paid_minor bigint not null default 0,
  payment_method text,
  payment_id uuid,
  lines jsonb not null,
  parcel_count integer not null,
  pickup jsonb,
  expires_at timestamptz,
  paid_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index orders_id on orders (id);
create index orders_created on orders (account_id, created_at desc, id desc);
create index orders_expiring on orders (expires_at) where status = 'pending_payment';

create table pickup_requests (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text not null constraint pickup_requests_number_unique unique,
  order_id uuid not null,
  status text not null default 'new' constraint pickup_requests_status check (status in ('new', 'open', 'in_progress', 'failed', 'completed')),
  address jsonb not null,
  pickup_date date not null,
  pickup_window text not null,
  parcel_count integer not null,
  station_id uuid references stations (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index pickup_requests_created on pickup_requests (account_id, created_at desc, id desc);

create table payments (
  account_id uuid not null references accounts (id),
  id uuid not null,
  purpose text not null constraint payments_purpose check (purpose in ('order', 'topup')),
  order_id uuid,
  method text not null,
  status text not null constraint payments_status check (status in ('pending', 'succeeded', 'failed', 'expired')),
  amount_minor bigint not null constraint payments_amount check (amount_minor > 0),
  currency text not null,
  -- our RefNo at the gateway, and the gateway's own number
  reference text not null constraint payments_reference_unique unique,
  gateway_transaction text,
  gateway_payment_id integer,
  failure_code text,
  created_by uuid,
  expires_at timestamptz,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index payments_id on payments (id);
create index payments_pending on payments (expires_at) where status = 'pending';
create index payments_order on payments (order_id) where order_id is not null;

-- Everything a gateway ever said to us, believed or not.
create table gateway_messages (
  id uuid primary key,
  payment_id uuid,
  source text not null,
  accepted boolean not null,
  reason text,
  payload jsonb not null,
  at timestamptz not null default now()
);
create index gateway_messages_payment on gateway_messages (payment_id);

-- Invoice numbers have no gaps within a year: the counter's row is locked until the invoice is committed.
create table invoice_counters (
  year integer primary key,
  last integer not null default 0
);

create table invoices (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text not null constraint invoices_number_unique unique,
  order_id uuid not null,
  currency text not null,
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  payment_method text not null,
  paid_at timestamptz,
  issued_at timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index invoices_order on invoices (order_id);
