-- A trial balance a day, proven by night from the postings: both sides of every book, and what did not hold.
create table trial_balances (
  day date primary key,
  checked_at timestamptz not null,
  lines jsonb not null,
  problems jsonb not null
);
