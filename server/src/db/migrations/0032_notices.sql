-- The order on which a difference was paid: what is given back of it later is a credit note to that order's invoice.
alter table parcel_weighings add column paid_order_id uuid;

-- When the sender was told that a parcel stands still, once a parcel; and the few that may, so that looking for them costs nothing.
alter table parcels add column stuck_told_at timestamptz;
create index parcels_stuck on parcels (last_event_at)
  where status in ('inbound', 'transit', 'outbound', 'last-mile-delivery') and stuck_told_at is null;
