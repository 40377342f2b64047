-- Companies that are billed by the month. What they owe is the balance of their corporate_receivable in the books; statements only say it.
alter table ledger_accounts drop constraint ledger_accounts_kind;
alter table ledger_accounts add constraint ledger_accounts_kind check (kind in (
  'customer_wallet', 'gateway_clearing', 'station_cash', 'bank', 'corporate_receivable', 'revenue', 'tax', 'refunds', 'cod_payable', 'promotion',
  'petty_cash', 'cash_difference'));
alter table journal_entries drop constraint journal_entries_kind;
alter table journal_entries add constraint journal_entries_kind check (kind in (
  'topup', 'bonus', 'order', 'refund', 'outstanding', 'cod_payout', 'cod_collected', 'receipt', 'cash', 'adjustment'));

-- What a member may have billed in a calendar month; null: as much as the company.
alter table users add column monthly_limit_minor bigint constraint users_monthly_limit check (monthly_limit_minor >= 0);
-- A member's order above this waits for the owner; null: none does.
alter table accounts add column approval_above_minor bigint constraint accounts_approval_above check (approval_above_minor >= 0);

create sequence statement_serial;
create table corporate_statements (
  account_id uuid not null references accounts (id),
  id uuid not null,
  number text not null constraint corporate_statements_number unique,
  month date not null,
  currency text not null,
  -- opening + charges - credits - receipts = closing, all of them what the books say
  opening_minor bigint not null,
  charges_minor bigint not null,
  credits_minor bigint not null,
  receipts_minor bigint not null,
  closing_minor bigint not null,
  due_on date not null,
  overdue_told_at timestamptz,
  issued_at timestamptz not null,
  primary key (account_id, id),
  constraint corporate_statements_month unique (account_id, month),
  constraint corporate_statements_sum check (closing_minor = opening_minor + charges_minor - credits_minor - receipts_minor)
);
create index corporate_statements_due on corporate_statements (due_on) where overdue_told_at is null;

-- Money that a company has paid, as staff has found it on the bank's statement.
create table corporate_receipts (
  account_id uuid not null references accounts (id),
  id uuid not null,
  amount_minor bigint not null constraint corporate_receipts_amount check (amount_minor > 0),
  currency text not null,
  reference text not null,
  received_on date not null,
  recorded_by uuid not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  -- the same transfer is recorded once
  constraint corporate_receipts_once unique (account_id, reference, received_on, amount_minor)
);
create index journal_entries_billed on journal_entries (account_id, created_by, created_at) where kind = 'order';
