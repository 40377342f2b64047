-- no transaction
-- A station has several drawers, and a drawer several shifts a day. A row of cash_drawers is one shift.
alter table cash_drawers
  add column if not exists number integer not null default 1,
  add column if not exists shift integer not null default 1,
  -- The last time that a supervisor reopened it.
  add column if not exists reopened_by uuid,
  add column if not exists reopened_at timestamptz,
  add column if not exists reopen_reason text;
drop index concurrently if exists cash_drawers_shifts;
create unique index concurrently cash_drawers_shifts on cash_drawers (station_id, number, day, shift);
drop index concurrently if exists cash_drawers_open;
create unique index concurrently cash_drawers_open on cash_drawers (station_id, number) where closed_at is null;
alter table cash_drawers drop constraint if exists cash_drawers_once_a_day;
drop index concurrently if exists cash_drawers_one_open;
-- Every count of a drawer. One that differs from the books is accepted only with its reason.
create table if not exists cash_counts (
  drawer_id uuid not null references cash_drawers (id),
  id uuid not null,
  counted_minor bigint not null constraint cash_counts_counted check (counted_minor >= 0),
  -- What the books expected.
  expected_minor bigint not null,
  reason text,
  accepted boolean not null,
  counted_by uuid not null,
  counted_at timestamptz not null,
  primary key (drawer_id, id),
  constraint cash_counts_explained check (not accepted or counted_minor = expected_minor or reason is not null)
);
insert into cash_counts (
  drawer_id, id, counted_minor, expected_minor, reason, accepted, counted_by, counted_at
)
select id, id, counted_minor, balance_minor, reason, true, closed_by, closed_at
from cash_drawers
where closed_at is not null
on conflict do nothing;
