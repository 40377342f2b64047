-- Reports on what was delivered in a period: of one account by `parcels_status_event`, of all accounts by this index.
create index parcels_delivered on parcels (last_event_at)
  where status in ('completed', 'collected') and leg = 'outbound';
-- Delivery attempts that ended in a period.
create index delivery_tasks_finished on delivery_tasks (account_id, finished_at) include (status, attempts)
  where finished_at is not null;
-- Revenue and volume of all accounts, without reading the rows.
create index orders_all_sums on orders (created_at) include (parcel_count, total_minor, paid_minor, refunded_minor);
