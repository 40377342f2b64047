-- replaces c1881bdf9f102e0c338d67195855fdb800188cfc037286dd8730b3a80aeb0f7e
-- Tickets of customers. A branding ticket has the id of its artwork and follows its statuses.
create sequence ticket_number_serial start with 100001;
create table tickets (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text not null default 'T' || nextval('ticket_number_serial') constraint tickets_number unique,
  kind text not null constraint tickets_kind check (kind in ('enquiry', 'delivery', 'billing', 'claim', 'branding')),
  status text not null,
  title text not null,
  description text not null,
  -- the parcel or order that it is about
  about_subject text constraint tickets_about_subject check (about_subject in ('parcel', 'order')),
  about_id uuid,
  about_number text,
  -- whose turn it is, and until when
  waits_for text constraint tickets_waits_for check (waits_for in ('customer', 'staff')),
  due_at timestamptz,
  created_by uuid not null,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  is_open boolean not null generated always as
    (status not in ('closed', 'draft.rejected', 'artwork.rejected', 'artwork.approved')) stored,
  primary key (account_id, id),
  constraint tickets_id unique (id),
  constraint tickets_deadline check ((waits_for is null) = (due_at is null)),
  constraint tickets_about check ((about_subject is null) = (about_id is null)),
  constraint tickets_status check (case kind
    when 'branding' then status in ('draft.in_progress', 'draft.ready', 'draft.rejected', 'draft.completed',
      'artwork.rejected', 'artwork.approved')
    else status in ('open', 'closed')
  end)
);
create index tickets_account on tickets (account_id, updated_at desc, id desc);
create index tickets_newest on tickets (updated_at desc, id desc);
create index tickets_due on tickets (due_at, id) where waits_for = 'staff';
create index tickets_waiting_for_customer on tickets (due_at, id) where waits_for = 'customer';
create index tickets_number_search on tickets (number text_pattern_ops);

create table ticket_documents (
  account_id uuid not null,
  ticket_id uuid not null,
  attachment_id uuid not null,
  kind text not null constraint ticket_documents_kind
    check (kind in ('proof_of_value', 'damage_photo', 'packaging_photo', 'other')),
  added_at timestamptz not null,
  primary key (account_id, ticket_id, attachment_id),
  foreign key (account_id, ticket_id) references tickets
);

create table claims (
  account_id uuid not null,
  ticket_id uuid not null,
  parcel_id uuid not null,
  reason text not null constraint claims_reason check (reason in ('lost', 'damaged', 'missing')),
  state text not null constraint claims_state
    check (state in ('documents', 'submitted', 'paid', 'refused', 'withdrawn')),
  insured_minor bigint not null,
  claimed_minor bigint not null,
  paid_minor bigint,
  currency text not null,
  decision_note text,
  decided_by uuid,
  decided_at timestamptz,
  primary key (account_id, ticket_id),
  foreign key (account_id, ticket_id) references tickets,
  constraint claims_amounts check (claimed_minor between 1 and insured_minor),
  constraint claims_paid check ((state = 'paid') = (paid_minor is not null) and paid_minor between 1 and claimed_minor)
);
-- One claim for a parcel; one that was withdrawn does not count.
create unique index claims_once on claims (parcel_id) where state <> 'withdrawn';

-- What is paid for claims is an expense of its own in the books.
alter table ledger_accounts drop constraint ledger_accounts_kind;
alter table ledger_accounts add constraint ledger_accounts_kind check (kind in (
  'customer_wallet', 'gateway_clearing', 'station_cash', 'bank', 'corporate_receivable', 'revenue', 'tax', 'refunds',
  'cod_payable', 'promotion', 'petty_cash', 'cash_difference', 'claims'));
-- The next file without a transaction compares the entries with it.
alter table journal_entries drop constraint journal_entries_kind;
alter table journal_entries add constraint journal_entries_kind check (kind in (
  'topup', 'bonus', 'order', 'refund', 'outstanding', 'cod_payout', 'cod_collected', 'receipt', 'cash', 'adjustment',
  'claim')) not valid;

-- Tickets for the artwork that there is.
insert into tickets (account_id, id, kind, status, title, description, waits_for, due_at, created_by, created_at,
  updated_at)
select account_id, id, 'branding', status, '', '',
  case when status in ('draft.ready', 'draft.completed') then 'staff' end,
  case when status in ('draft.ready', 'draft.completed') then updated_at + interval '3 days' end,
  created_by, created_at, updated_at
from account_artworks
order by created_at, id;
