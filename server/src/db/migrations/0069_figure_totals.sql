-- replaces 4dd91056427c5342bc6c4b89d6da47a00717e2c5d6390292da1222b1c2334f10
-- The dashboard of an account reads totals over all its users, so that its cost does not grow with their number. They
-- are rows of the same table, under the nil UUID instead of a user.
select lock_account_figures();

alter table account_figures drop constraint account_figures_pkey;
alter table account_figures add primary key (account_id, user_id, metric, period, label);
create index account_figures_spent on account_figures (account_id, period) where metric = 'spent';

create function all_users() returns uuid language sql immutable parallel safe as $$
  select '00000000-0000-0000-0000-000000000000'::uuid
$$;

insert into account_figures
  select account_id, all_users(), metric, label, period, sum(count), sum(amount_minor)
  from account_figures
  group by account_id, metric, label, period;

create or replace function count_account_figures(account uuid)
returns table (user_id uuid, metric text, label text, period date, count bigint, amount_minor bigint)
language sql stable as $$
  with zone as materialized (select figures_time_zone() as name)
  select coalesce(c.created_by, all_users()), c.metric, c.label, c.period, count(*), sum(c.amount_minor)::bigint
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
  group by grouping sets ((c.created_by, c.metric, c.label, c.period), (c.metric, c.label, c.period))
$$;

-- The changes of an account that are not added up yet, each for its user and for all users.
create function pending_account_figures(account uuid)
returns table (user_id uuid, metric text, label text, period date, count bigint, amount_minor bigint)
language sql stable as $$
  select u.user_id, c.metric, c.label, c.period, c.count, c.amount_minor
  from account_figure_changes c, lateral (values (c.user_id), (all_users())) as u (user_id)
  where c.account_id = account
$$;

create or replace function recount_account_figures(account uuid) returns void language plpgsql as $$
begin
  perform lock_account_figures();
  delete from account_figures where account_id = account;
  insert into account_figures
    select account, c.user_id, c.metric, c.label, c.period, sum(c.count), sum(c.amount_minor)
    from (
      select * from count_account_figures(account)
      union all
      select user_id, metric, label, period, -count, -amount_minor from pending_account_figures(account)
    ) c
    group by 2, 3, 4, 5
    having sum(c.count) <> 0 or sum(c.amount_minor) <> 0;
end $$;

create or replace function wrong_account_figures(account uuid)
returns table (
  user_id uuid, metric text, label text, period date, stored bigint, counted bigint, stored_minor bigint,
  counted_minor bigint
)
language sql stable as $$
  with stored as (
    select s.user_id, s.metric, s.label, s.period, sum(s.count)::bigint as count,
      sum(s.amount_minor)::bigint as amount_minor
    from (
      select user_id, metric, label, period, count, amount_minor from account_figures where account_id = account
      union all
      select * from pending_account_figures(account)
    ) s
    group by 1, 2, 3, 4
  )
  select user_id, metric, label, period, coalesce(s.count, 0), coalesce(c.count, 0), coalesce(s.amount_minor, 0),
    coalesce(c.amount_minor, 0)
  from stored s
  full join count_account_figures(account) c using (user_id, metric, label, period)
  where (coalesce(s.count, 0), coalesce(s.amount_minor, 0)) <> (coalesce(c.count, 0), coalesce(c.amount_minor, 0))
$$;
