-- The order on which a difference was paid: what is given back of it later is a credit note to that order's invoice.
alter table parcel_weighings add column paid_order_id uuid;

-- When the sender was told that a parcel stands still or is late, once a parcel; and those that may be, so that looking for them costs little.
alter table parcels add column stuck_told_at timestamptz;
create index parcels_stuck on parcels (last_event_at)
  where status in ('inbound', 'sorting', 'outbound', 'delivering') and stuck_told_at is null;
