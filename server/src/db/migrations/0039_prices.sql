-- A parcel's share of the pickup that its order pays, fee and tax apart. Null: no pickup, or no order yet.
alter table parcels add column pickup_fee_minor bigint, add column pickup_tax_minor bigint;

-- Orders made before: the fee of the order, shared equally by its parcels in the order of their ids; the remainder goes to the first ones.
with of_order as (
  select o.account_id, o.id as order_id,
    (select coalesce(sum((l ->> 'amountMinor')::bigint), 0) from jsonb_array_elements(o.lines) l where l ->> 'kind' = 'pickup') as fee,
    (select coalesce(sum((l ->> 'amountMinor')::bigint), 0) from jsonb_array_elements(o.lines) l where l ->> 'kind' = 'tax') as tax
  from orders o where o.pickup is not null
), of_parcel as (
  select p.account_id, p.id, p.order_id, row_number() over w - 1 as n, count(*) over (partition by p.account_id, p.order_id) as parcels,
    sum(coalesce((select sum((l ->> 'amountMinor')::bigint) from jsonb_array_elements(p.price -> 'lines') l where l ->> 'kind' = 'tax'), 0))
      over (partition by p.account_id, p.order_id) as own_tax
  from parcels p where p.order_id is not null
  window w as (partition by p.account_id, p.order_id order by p.id)
), share as (
  select p.account_id, p.id, ceil((o.fee - p.n)::numeric / p.parcels)::bigint as fee,
    ceil((o.fee + greatest(o.tax - p.own_tax, 0) - p.n)::numeric / p.parcels)::bigint as whole
  from of_parcel p join of_order o on o.account_id = p.account_id and o.order_id = p.order_id and o.fee > 0
)
update parcels p set pickup_fee_minor = s.fee, pickup_tax_minor = s.whole - s.fee
from share s where p.account_id = s.account_id and p.id = s.id;

-- Visits of riders that another order of the account can join.
create index pickup_requests_open on pickup_requests (account_id, pickup_date, pickup_window)
  where cancelled_at is null and status in ('new', 'open');

-- The day that was promised first, where another one is expected since. Null: `expected_date` is still the first.
alter table parcels add column promised_date date;
