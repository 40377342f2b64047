-- no transaction
-- Movements of a drawer are numbered under its lock: the clocks of two processes may differ, so ids do not order them.
create sequence if not exists cash_movement_serial start 1000000000;
alter table cash_movements add column if not exists seq bigint;
alter table cash_movements alter column seq set default nextval('cash_movement_serial');
-- Movements before this migration come first, in the order of their ids.
update cash_movements m
set seq = o.place
from (
  select drawer_id, id, row_number() over (order by drawer_id, id) as place
  from cash_movements
  where seq is null
) o
where m.drawer_id = o.drawer_id and m.id = o.id and m.seq is null;
alter table cash_movements alter column seq set not null;
drop index concurrently if exists cash_movements_order;
create unique index concurrently cash_movements_order on cash_movements (drawer_id, seq);
-- A receipt names only the id of its sale.
drop index concurrently if exists cash_movements_sale;
create index concurrently cash_movements_sale on cash_movements (id) where kind = 'sale';
-- The lists of shifts, of one station and of all.
drop index concurrently if exists cash_drawers_of_station;
create index concurrently cash_drawers_of_station on cash_drawers (station_id, day, id);
drop index concurrently if exists cash_drawers_by_day;
create index concurrently cash_drawers_by_day on cash_drawers (day, id);
