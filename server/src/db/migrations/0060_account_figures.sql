-- Figures of accounts: parcels and orders, counted as they are written. The dashboard reads a few rows of them, however
-- many parcels an account has.
--
-- A figure is a function of one row of `parcels` or `orders` (parcel_figures, order_figures). The triggers write what a
-- statement changes as rows of their own into `account_figure_changes`. So two writers of one account never wait for
-- each other; a job adds the changes up into `account_figures`. The figure is the sum over both tables.
create table account_figures (
  account_id uuid not null,
  user_id uuid not null,
  -- created and ended by day, open without a day, sent (by destination) and spent by month
  metric text not null,
  label text not null,
  period date not null,
  count bigint not null,
  amount_minor bigint not null,
  primary key (account_id, metric, period, label, user_id)
);

create table account_figure_changes (
  account_id uuid not null,
  user_id uuid not null,
  metric text not null,
  label text not null,
  period date not null,
  count bigint not null,
  amount_minor bigint not null
);
create index account_figure_changes_account on account_figure_changes (account_id);
-- Rows live for a minute: without this, the table and its index would grow by what vacuum has not come to.
alter table account_figure_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The zone whose calendar the figures follow; the default is that of the setting.
create function figures_time_zone() returns text language sql stable parallel safe as $$
  select coalesce((select value #>> '{}' from settings where key = 'timezone'), 'Asia/Kuala_Lumpur')
$$;

-- What a parcel counts for. `promised` is the first promised day: later revisions do not make a late parcel punctual.
create function parcel_figures(
  status text, handed_over boolean, leg text, scope text, created_at timestamptz, last_event_at timestamptz,
  promised date, amount_due_minor bigint, receiver jsonb, zone text
) returns table (metric text, label text, period date, amount_minor bigint)
language sql immutable parallel safe as $$
  select 'created', '', (created_at at time zone zone)::date, 0::bigint
  union all
  select 'open', case when status = 'outstanding' and handed_over then 'outstanding:held' else status end,
    date '1970-01-01', case when status = 'outstanding' then amount_due_minor else 0 end
  where status not in ('completed', 'collected', 'cancel', 'refunded')
  union all
  select 'ended', status || case
      when status not in ('completed', 'collected') or leg <> 'outbound' or promised is null then ''
      when (coalesce(last_event_at, created_at) at time zone zone)::date <= promised then ':on_time'
      else ':late'
    end, (coalesce(last_event_at, created_at) at time zone zone)::date, 0
  where status in ('completed', 'collected', 'cancel', 'refunded')
  union all
  select 'sent', case
      when scope = 'domestic' then (receiver ->> 'country') || ':' || coalesce(receiver ->> 'state', '')
      else receiver ->> 'country'
    end, date_trunc('month', created_at at time zone zone)::date, 0
  where status not in ('pending', 'incart', 'pending_payment', 'cancel', 'refunded') and receiver ->> 'country' <> ''
$$;

-- What an order counts for: the money that stayed paid. An order on the monthly bill has no time of payment; it counts
-- in the month in which it was placed.
create function order_figures(
  paid_minor bigint, refunded_minor bigint, paid_at timestamptz, created_at timestamptz, zone text
) returns table (metric text, label text, period date, amount_minor bigint)
language sql immutable parallel safe as $$
  select 'spent', '', date_trunc('month', coalesce(paid_at, created_at) at time zone zone)::date,
    paid_minor - refunded_minor
  where paid_minor > 0
$$;

create function parcels_figures_insert() returns trigger language plpgsql as $$
declare zone text := figures_time_zone();
begin
  insert into account_figure_changes
    select p.account_id, p.created_by, f.metric, f.label, f.period, count(*), sum(f.amount_minor)
    from fresh p, parcel_figures(p.status, p.handed_over, p.leg, p.scope, p.created_at, p.last_event_at,
      coalesce(p.promised_date, p.expected_date), p.amount_due_minor, p.receiver, zone) f
    group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger parcels_figures_insert after insert on parcels referencing new table as fresh
  for each statement execute function parcels_figures_insert();

-- Most updates change no figure: those of prices, versions and scans between stations end at the first query.
create function parcels_figures_update() returns trigger language plpgsql as $$
declare zone text;
begin
  perform 1 from fresh n join stale o on o.id = n.id
    where (o.status, o.handed_over, o.leg, o.scope, o.created_by, o.created_at, o.amount_due_minor)
        is distinct from (n.status, n.handed_over, n.leg, n.scope, n.created_by, n.created_at, n.amount_due_minor)
      or n.status in ('completed', 'collected', 'cancel', 'refunded')
        and (o.last_event_at, o.promised_date, o.expected_date)
          is distinct from (n.last_event_at, n.promised_date, n.expected_date)
      or o.receiver is distinct from n.receiver
    limit 1;
  if not found then
    return null;
  end if;
  zone := figures_time_zone();
  insert into account_figure_changes
    select c.account_id, c.created_by, c.metric, c.label, c.period, sum(c.sign), sum(c.sign * c.amount_minor)
    from (
      select n.account_id, n.created_by, f.*, 1 as sign
      from fresh n, parcel_figures(n.status, n.handed_over, n.leg, n.scope, n.created_at, n.last_event_at,
        coalesce(n.promised_date, n.expected_date), n.amount_due_minor, n.receiver, zone) f
      union all
      select o.account_id, o.created_by, f.*, -1
      from stale o, parcel_figures(o.status, o.handed_over, o.leg, o.scope, o.created_at, o.last_event_at,
        coalesce(o.promised_date, o.expected_date), o.amount_due_minor, o.receiver, zone) f
    ) c
    group by 1, 2, 3, 4, 5
    having sum(c.sign) <> 0 or sum(c.sign * c.amount_minor) <> 0;
  return null;
end $$;
create trigger parcels_figures_update after update on parcels referencing old table as stale new table as fresh
  for each statement execute function parcels_figures_update();

create function parcels_figures_delete() returns trigger language plpgsql as $$
declare zone text := figures_time_zone();
begin
  insert into account_figure_changes
    select p.account_id, p.created_by, f.metric, f.label, f.period, -count(*), -sum(f.amount_minor)
    from stale p, parcel_figures(p.status, p.handed_over, p.leg, p.scope, p.created_at, p.last_event_at,
      coalesce(p.promised_date, p.expected_date), p.amount_due_minor, p.receiver, zone) f
    group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger parcels_figures_delete after delete on parcels referencing old table as stale
  for each statement execute function parcels_figures_delete();

-- Orders come one by one and seldom change what they count for: a trigger of rows with a condition costs least.
create function orders_figures() returns trigger language plpgsql as $$
declare zone text := figures_time_zone();
begin
  if tg_op <> 'INSERT' then
    insert into account_figure_changes
      select old.account_id, old.created_by, f.metric, f.label, f.period, -1, -f.amount_minor
      from order_figures(old.paid_minor, old.refunded_minor, old.paid_at, old.created_at, zone) f;
  end if;
  if tg_op <> 'DELETE' then
    insert into account_figure_changes
      select new.account_id, new.created_by, f.metric, f.label, f.period, 1, f.amount_minor
      from order_figures(new.paid_minor, new.refunded_minor, new.paid_at, new.created_at, zone) f;
  end if;
  return null;
end $$;
create trigger orders_figures_insert after insert on orders for each row when (new.paid_minor > 0)
  execute function orders_figures();
create trigger orders_figures_delete after delete on orders for each row when (old.paid_minor > 0)
  execute function orders_figures();
create trigger orders_figures_update after update on orders for each row when (
    (old.created_by, old.paid_minor, old.refunded_minor, old.paid_at, old.created_at) is distinct from
    (new.created_by, new.paid_minor, new.refunded_minor, new.paid_at, new.created_at))
  execute function orders_figures();

-- The figures of an account, counted anew. It reads every parcel and order of the account.
create function count_account_figures(account uuid)
returns table (user_id uuid, metric text, label text, period date, count bigint, amount_minor bigint)
language sql stable as $$
  with zone as materialized (select figures_time_zone() as name)
  select c.created_by, c.metric, c.label, c.period, count(*), sum(c.amount_minor)::bigint
  from (
    select p.created_by, f.*
    from zone, parcels p, parcel_figures(p.status, p.handed_over, p.leg, p.scope, p.created_at, p.last_event_at,
      coalesce(p.promised_date, p.expected_date), p.amount_due_minor, p.receiver, zone.name) f
    where p.account_id = account
    union all
    select o.created_by, f.*
    from zone, orders o, order_figures(o.paid_minor, o.refunded_minor, o.paid_at, o.created_at, zone.name) f
    where o.account_id = account
  ) c
  group by 1, 2, 3, 4
$$;

-- One lock for whoever moves rows from the changes to the figures.
create function lock_account_figures() returns void language sql as $$
  select pg_advisory_xact_lock(7294631)
$$;

-- Counts an account anew. One statement, so one snapshot: a change that it sees has its parcel in the count, and is
-- taken off, since it will be added up later.
create function recount_account_figures(account uuid) returns void language plpgsql as $$
begin
  perform lock_account_figures();
  delete from account_figures where account_id = account;
  insert into account_figures
    select account, c.user_id, c.metric, c.label, c.period, sum(c.count), sum(c.amount_minor)
    from (
      select * from count_account_figures(account)
      union all
      select user_id, metric, label, period, -count, -amount_minor
      from account_figure_changes where account_id = account
    ) c
    group by 2, 3, 4, 5
    having sum(c.count) <> 0 or sum(c.amount_minor) <> 0;
end $$;

-- Where the figures of an account differ from its parcels and orders: no row when they are right.
create function wrong_account_figures(account uuid)
returns table (
  user_id uuid, metric text, label text, period date, stored bigint, counted bigint, stored_minor bigint,
  counted_minor bigint
)
language sql stable as $$
  with stored as (
    select s.user_id, s.metric, s.label, s.period, sum(s.count)::bigint as count,
      sum(s.amount_minor)::bigint as amount_minor
    from (
      select * from account_figures where account_id = account
      union all
      select * from account_figure_changes where account_id = account
    ) s
    group by 1, 2, 3, 4
  )
  select user_id, metric, label, period, coalesce(s.count, 0), coalesce(c.count, 0), coalesce(s.amount_minor, 0),
    coalesce(c.amount_minor, 0)
  from stored s
  full join count_account_figures(account) c using (user_id, metric, label, period)
  where (coalesce(s.count, 0), coalesce(s.amount_minor, 0)) <> (coalesce(c.count, 0), coalesce(c.amount_minor, 0))
$$;

-- Counts every account, each in a transaction of its own: nothing but the figures is locked, and for one account only.
create procedure recount_all_figures() language plpgsql as $$
declare account uuid;
begin
  for account in select id from accounts order by id loop
    perform recount_account_figures(account);
    commit;
  end loop;
end $$;

-- What a user has on the home page, in order. No row: the default.
create table dashboards (
  user_id uuid primary key,
  account_id uuid not null,
  version integer not null,
  -- [{ id, kind, size }]
  widgets jsonb not null,
  updated_at timestamptz not null
);
