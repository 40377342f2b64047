-- no transaction
-- A lost parcel has a status of its own (decision 100). Validating the rows blocks neither reads nor writes.
alter table parcels drop constraint if exists parcels_status, add constraint parcels_status check (status in (
  'pending_payment', 'outstanding', 'pending', 'incart', 'pending_pickup', 'pending_dropoff', 'sorting', 'inbound',
  'outbound', 'delivering', 'completed', 'fail-to-deliver', 'collected', 'reverse_pickup', 'recall', 'lost', 'cancel',
  'refunded')) not valid;
alter table parcels validate constraint parcels_status;

-- In the figures, a lost parcel has ended.

-- What a parcel counts for. `promised` is the first promised day: later revisions do not make a late parcel punctual.
create or replace function parcel_figures(
  status text, handed_over boolean, leg text, scope text, created_at timestamptz, last_event_at timestamptz,
  promised date, amount_due_minor bigint, receiver jsonb, zone text
) returns table (metric text, label text, period date, amount_minor bigint)
language sql immutable parallel safe as $$
  select 'created', '', (created_at at time zone zone)::date, 0::bigint
  union all
  select 'open', case when status = 'outstanding' and handed_over then 'outstanding:held' else status end,
    date '1970-01-01', case when status = 'outstanding' then amount_due_minor else 0 end
  where status not in ('completed', 'collected', 'lost', 'cancel', 'refunded')
  union all
  select 'ended', status || case
      when status not in ('completed', 'collected') or leg <> 'outbound' or promised is null then ''
      when (coalesce(last_event_at, created_at) at time zone zone)::date <= promised then ':on_time'
      else ':late'
    end, (coalesce(last_event_at, created_at) at time zone zone)::date, 0
  where status in ('completed', 'collected', 'lost', 'cancel', 'refunded')
  union all
  select 'sent', case
      when scope = 'domestic' then (receiver ->> 'country') || ':' || coalesce(receiver ->> 'state', '')
      else receiver ->> 'country'
    end, date_trunc('month', created_at at time zone zone)::date, 0
  where status not in ('pending', 'incart', 'pending_payment', 'cancel', 'refunded') and receiver ->> 'country' <> ''
$$;

-- Most updates change no figure: those of prices, versions and scans between stations end at the first query.
-- The setting is that of migration 0087, which a replacement would reset.
create or replace function parcels_figures_update() returns trigger language plpgsql set enable_nestloop = off as $$
declare zone text;
begin
  perform 1 from fresh n join stale o on o.id = n.id
    where (o.status, o.handed_over, o.leg, o.scope, o.created_by, o.created_at, o.amount_due_minor)
        is distinct from (n.status, n.handed_over, n.leg, n.scope, n.created_by, n.created_at, n.amount_due_minor)
      or n.status in ('completed', 'collected', 'lost', 'cancel', 'refunded')
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
