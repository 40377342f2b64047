-- A trial balance a day, proven by night from the postings: both sides of every book, and what did not hold.
create table trial_balances (
  day date primary key,
  checked_at timestamptz not null,
  lines jsonb not null,
  problems jsonb not null
);

-- A posting's number was drawn before its wallet's row was locked, so that two movements at once could be numbered the other way round than they happened, and
-- a history in the order of the numbers showed balances that jump. It is drawn again once the row is held.
create or replace function ledger_apply_posting() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance_minor = balance_minor + new.amount_minor
    where id = new.ledger_account_id and guarded
    returning balance_minor into new.balance_after_minor;
  if found then
    new.seq := nextval('journal_postings_seq_seq');
  else
    perform 1 from ledger_accounts where id = new.ledger_account_id;
    if not found then
      raise exception 'there is no ledger account %', new.ledger_account_id
        using errcode = 'foreign_key_violation', constraint = 'journal_postings_ledger_account';
    end if;
  end if;
  return new;
end $$;

-- What a top-up earns beside itself, as it was promised when the customer went to the bank.
alter table payments add column bonus_minor bigint not null default 0 constraint payments_bonus check (bonus_minor >= 0);

-- What an account wants to be told of its wallet, and the rule by which it would be filled by itself.
create table wallet_preferences (
  account_id uuid primary key references accounts (id),
  low_balance_minor bigint constraint wallet_preferences_low check (low_balance_minor > 0),
  -- told once, until the balance has been above again
  low_balance_told_at timestamptz,
  auto_top_up boolean not null default false,
  auto_threshold_minor bigint,
  auto_amount_minor bigint,
  version integer not null default 1,
  updated_by uuid not null,
  updated_at timestamptz not null
);
