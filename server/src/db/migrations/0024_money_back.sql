-- What of an order has been given back; never more than was paid or billed. Monthly billing takes nothing at the checkout: there the order's total is what was billed.
alter table orders add column refunded_minor bigint not null default 0;
alter table orders add constraint orders_refunded check (
  refunded_minor >= 0 and refunded_minor <= case when payment_method = 'monthly_billing' then greatest(paid_minor, total_minor) else paid_minor end);

create table refunds (
  account_id uuid not null references accounts (id),
  id uuid not null,
  order_id uuid not null,
  -- receivable: taken off the monthly bill
  destination text not null constraint refunds_destination check (destination in ('wallet', 'card', 'receivable')),
  -- requested: staff has to pay it back to the card; failed: the bank refused, so the money went to the wallet
  status text not null constraint refunds_status check (status in ('requested', 'done', 'failed')),
  currency text not null,
  amount_minor bigint not null constraint refunds_amount check (amount_minor > 0),
  -- the payment whose card it goes back to
  payment_id uuid,
  bank_reference text,
  note text,
  created_by uuid,
  settled_by uuid,
  settled_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint refunds_requested check (status = 'done' or destination = 'card'),
  constraint refunds_bank_reference check (destination <> 'card' or status <> 'done' or bank_reference is not null)
);
create unique index refunds_id on refunds (id);
create index refunds_order on refunds (order_id);
-- What staff works off: by age, and what is open apart from what is done.
create index refunds_card on refunds (status, created_at, id) where destination = 'card';

-- A parcel's money is given back once.
create table refunded_parcels (
  account_id uuid not null,
  parcel_id uuid not null,
  refund_id uuid not null,
  amount_minor bigint not null,
  primary key (account_id, parcel_id)
);
create index refunded_parcels_refund on refunded_parcels (refund_id);

-- Numbers without gaps, given while the transaction commits, as invoices have them (migration 0015).
create table credit_note_counters (
  year integer primary key,
  last integer not null default 0
);
create table credit_notes (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- there from the commit on
  number text constraint credit_notes_number_unique unique,
  -- in the deployment's time zone
  year integer not null,
  order_id uuid not null,
  refund_id uuid not null constraint credit_notes_refund_unique unique,
  currency text not null,
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  issued_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index credit_notes_order on credit_notes (order_id);

create function credit_notes_number() returns trigger language plpgsql as $$
declare
  serial integer;
begin
  insert into credit_note_counters as c (year, last) values (new.year, 1)
    on conflict (year) do update set last = c.last + 1
    returning last into serial;
  update credit_notes set number = 'CN-' || new.year || '-' || lpad(serial::text, greatest(6, length(serial::text)), '0')
    where account_id = new.account_id and id = new.id;
  return null;
end $$;
create constraint trigger credit_notes_number after insert on credit_notes
  deferrable initially deferred for each row when (new.number is null) execute function credit_notes_number();

-- A pickup that nobody needs any more: all of its parcels were cancelled before the rider came.
alter table pickup_requests add column cancelled_at timestamptz;
