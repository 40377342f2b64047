-- A corrected address in a dearer zone raises the price of a parcel: the price before, what was paid for the difference
-- and is not refunded, and the order on which it was paid.
alter table delivery_choices
  add column price_before jsonb,
  add column paid_minor bigint not null default 0,
  add column paid_order_id uuid;
