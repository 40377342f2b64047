-- no transaction
-- A parcel that is written again, be it for its order, its payment or a scan, is written into every index that it is in.
-- The time of the last event is looked for only once a parcel has been handed over, so that drafts, carts and payments
-- no longer write it there.
drop index concurrently if exists parcels_last_event;
create index concurrently parcels_last_event on parcels (account_id, status, last_event_at desc)
  where status in ('inbound', 'sorting', 'outbound', 'delivering', 'fail-to-deliver', 'recall', 'completed', 'collected');
drop index concurrently if exists parcels_status_event;
-- Failed deliveries are few: `parcels_failed_at_station` finds all of them.
drop index concurrently if exists parcels_failed;
-- `orders_status_method` begins with the same columns.
drop index concurrently if exists orders_unpaid;
