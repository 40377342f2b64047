-- no transaction
-- replaces 7c0739c8b924c96afdbb54e7ed7107108d24d9bc4eeee5f49946eeacae621ac3
-- Reports sum a year of orders. With these columns in the index of the list, they read no rows: a row has the price
-- lines of all its parcels, so that the year of a large account would be gigabytes.
drop index concurrently if exists orders_created_sums;
create index concurrently orders_created_sums on orders (account_id, created_at desc, id desc)
  include (created_by, status, payment_method, parcel_count, total_minor, paid_minor, refunded_minor);
drop index concurrently if exists orders_created;
alter index orders_created_sums rename to orders_created;
