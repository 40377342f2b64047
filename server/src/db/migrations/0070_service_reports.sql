-- no transaction
-- replaces 962346bcc32cb754582657c71fb57e883fb649659e5ed01ceae54fac7a76c4c7
-- What a member who sees only their own parcels has on the way. Without it, their dashboard reads the parcels of all
-- colleagues.
drop index concurrently if exists parcels_moving_of_user;
create index concurrently parcels_moving_of_user
  on parcels (account_id, created_by, status, last_event_at desc, id desc)
  where status in ('inbound', 'sorting', 'outbound', 'delivering', 'fail-to-deliver', 'recall');
-- Reports on what was delivered in a period: of one account by `parcels_status_event`, of all accounts by this index.
drop index concurrently if exists parcels_delivered;
create index concurrently parcels_delivered on parcels (last_event_at)
  where status in ('completed', 'collected') and leg = 'outbound';
-- Delivery attempts that ended in a period.
drop index concurrently if exists delivery_tasks_finished;
create index concurrently delivery_tasks_finished on delivery_tasks (account_id, finished_at) include (status, attempts)
  where finished_at is not null;
-- Revenue and volume of all accounts, without reading the rows.
drop index concurrently if exists orders_all_sums;
create index concurrently orders_all_sums on orders (created_at)
  include (parcel_count, total_minor, paid_minor, refunded_minor);
