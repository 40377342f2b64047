-- no transaction
-- replaces c24eac4c1a5ca8dfc94d31fff7c0d3ab550a27544a6d04b2439de047ed8b2b27
-- A parcel's share of the pickup that its order pays, fee and tax apart. Null: no pickup, or no order yet.
alter table parcels
  add column if not exists pickup_fee_minor bigint,
  add column if not exists pickup_tax_minor bigint;

-- Orders made before: the fee of the order, shared equally by its parcels in the order of their ids.
-- The remainder goes to the first ones.
create or replace function pg_temp.lines_of(lines jsonb, kind text) returns bigint language sql immutable as $$
  select coalesce(sum((l ->> 'amountMinor')::bigint), 0)::bigint
  from jsonb_array_elements(coalesce(lines, '[]')) l where l ->> 'kind' = kind $$;
create temporary table orders_with_pickup as
  select account_id, id as order_id, pg_temp.lines_of(lines, 'pickup') as fee, pg_temp.lines_of(lines, 'tax') as tax,
    (row_number() over (order by account_id, id) - 1) / 500 as batch
  from orders
  where pickup is not null;
create index on orders_with_pickup (batch);
-- Every batch is committed, so that row locks are short.
do $$
begin
  for n in 0 .. (select coalesce(max(batch), -1) from orders_with_pickup) loop
    with of_parcel as (
      select p.account_id, p.id, o.fee, o.tax, row_number() over w - 1 as n,
        count(*) over (partition by p.account_id, p.order_id) as parcels,
        sum(pg_temp.lines_of(p.price -> 'lines', 'tax')) over (partition by p.account_id, p.order_id) as own_tax
      from parcels p join orders_with_pickup o on o.account_id = p.account_id and o.order_id = p.order_id
      where o.batch = n and o.fee > 0
      window w as (partition by p.account_id, p.order_id order by p.id)
    ), share as (
      select account_id, id, ceil((fee - of_parcel.n)::numeric / parcels)::bigint as fee,
        ceil((fee + greatest(tax - own_tax, 0) - of_parcel.n)::numeric / parcels)::bigint as whole
      from of_parcel
    )
    update parcels p set pickup_fee_minor = s.fee, pickup_tax_minor = s.whole - s.fee
    from share s where p.account_id = s.account_id and p.id = s.id;
    commit;
  end loop;
end $$;
drop table orders_with_pickup;

-- Visits of riders that another order of the account can join.
drop index concurrently if exists pickup_requests_open;
create index concurrently pickup_requests_open on pickup_requests (account_id, pickup_date, pickup_window)
  where cancelled_at is null and status in ('new', 'open');

-- The day that was promised first, where another one is expected since. Null: `expected_date` is still the first.
alter table parcels add column if not exists promised_date date;
