-- Users of a company: what they do there, and whether they have left. Whoever has left keeps the row: orders and entries name it. The address is free for another then.
alter table users add column job_title text;
alter table users add column cost_centre text;
alter table users add column removed_at timestamptz;

-- A member's order above the company's amount waits for a decision. One a order: however it ends, the order ends or is paid with it.
create table order_approvals (
  account_id uuid not null references accounts (id),
  id uuid not null,
  order_id uuid not null,
  status text not null default 'pending' constraint order_approvals_status check (status in ('pending', 'approved', 'declined', 'withdrawn', 'expired')),
  requested_by uuid not null,
  note text,
  decided_by uuid,
  decided_at timestamptz,
  reason text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint order_approvals_order unique (order_id),
  constraint order_approvals_decided check ((status = 'pending') = (decided_at is null))
);
create index order_approvals_pending on order_approvals (account_id, created_at) where status = 'pending';
create index order_approvals_expiring on order_approvals (expires_at) where status = 'pending';
create index order_approvals_newest on order_approvals (account_id, created_at desc, id desc);
-- An order that waits says so itself: payments look at it without another query.
alter table orders add column approval_id uuid;
-- Who did what, newest first.
create index activity_log_user on activity_log (account_id, user_id, at desc);
