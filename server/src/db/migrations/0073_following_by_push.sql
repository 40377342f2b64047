-- Visitors also follow by push messages. The endpoint is a secret of the push service: whoever has it can send there.
alter table tracking_follows
  alter column email drop not null,
  add column endpoint text,
  add column p256dh text,
  add column auth text,
  add constraint tracking_follows_endpoint unique (parcel_id, endpoint),
  add constraint tracking_follows_channel check (
    num_nonnulls(email, endpoint) = 1 and num_nonnulls(endpoint, p256dh, auth) in (0, 3)
  );
