-- Double entry. A posting's amount is positive for a credit and negative for a debit, so what we owe a customer (the wallet) is positive and
-- what somebody owes us or a bank holds for us is negative. The postings of an entry sum to zero.
create table ledger_accounts (
  id uuid primary key,
  kind text not null constraint ledger_accounts_kind check (kind in (
    'customer_wallet', 'gateway_clearing', 'station_cash', 'corporate_receivable', 'revenue', 'tax', 'refunds', 'cod_payable', 'promotion')),
  account_id uuid references accounts (id),
  station_id uuid references stations (id),
  currency text not null,
  -- Only guarded accounts (wallets) keep their balance on the row: the others would make every transaction wait for one row.
  guarded boolean not null default false,
  balance_minor bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint ledger_accounts_unique unique nulls not distinct (kind, account_id, station_id, currency),
  constraint ledger_accounts_no_overdraft check (balance_minor >= 0)
);

create table journal_entries (
  id uuid primary key,
  kind text not null constraint journal_entries_kind check (kind in (
    'topup', 'bonus', 'order', 'refund', 'outstanding', 'cod_payout', 'adjustment')),
  account_id uuid references accounts (id),
  order_id uuid,
  payment_id uuid,
  reference text,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index journal_entries_account on journal_entries (account_id, created_at desc);

create table journal_postings (
  seq bigint generated always as identity,
  entry_id uuid not null references journal_entries (id),
  line smallint not null,
  ledger_account_id uuid not null references ledger_accounts (id),
  account_id uuid,
  amount_minor bigint not null constraint journal_postings_not_zero check (amount_minor <> 0),
  currency text not null,
  balance_after_minor bigint,
  created_at timestamptz not null default now(),
  primary key (entry_id, line)
);
-- The order of a wallet's movements is the order in which they held its row: seq, not the clock.
create index journal_postings_ledger_account on journal_postings (ledger_account_id, seq desc);

-- The balance of a guarded account is moved by the posting itself, so that it can't differ from the sum of its postings.
create function ledger_apply_posting() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance_minor = balance_minor + new.amount_minor
    where id = new.ledger_account_id and guarded
    returning balance_minor into new.balance_after_minor;
  return new;
end $$;
create trigger ledger_apply_posting before insert on journal_postings for each row execute function ledger_apply_posting();

-- All postings of an entry are inserted by one statement, which must leave it at zero in each currency.
create function ledger_check_zero() returns trigger language plpgsql as $$
declare bad uuid;
begin
  select p.entry_id into bad from journal_postings p
    where p.entry_id in (select n.entry_id from inserted n)
    group by p.entry_id, p.currency having sum(p.amount_minor) <> 0 limit 1;
  if bad is not null then
    raise exception 'journal entry % does not sum to zero', bad using errcode = 'check_violation', constraint = 'journal_entries_zero';
  end if;
  return null;
end $$;
create trigger ledger_check_zero after insert on journal_postings referencing new table as inserted
  for each statement execute function ledger_check_zero();

-- Books are appended to, never changed.
create function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'check_violation', constraint = 'ledger_append_only';
end $$;
create trigger ledger_append_only before update or delete on journal_entries for each row execute function ledger_append_only();
create trigger ledger_append_only before update or delete on journal_postings for each row execute function ledger_append_only();
create trigger ledger_append_only_truncate before truncate on journal_entries for each statement execute function ledger_append_only();
create trigger ledger_append_only_truncate before truncate on journal_postings for each statement execute function ledger_append_only();

-- One PIN a wallet. Six digits are too few for a slow hash to protect: it is a MAC under the deployment's secret key.
create table wallet_pins (
  account_id uuid primary key references accounts (id),
  salt bytea not null,
  pin_mac bytea not null,
  attempts integer not null default 0,
  locked_until timestamptz,
  updated_by uuid not null,
  updated_at timestamptz not null default now()
);
