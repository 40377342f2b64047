-- Orders in which an account's parcels are read, each with an index, so that the lists of a large account stay as fast as those of a small one.
create index parcels_updated on parcels (account_id, updated_at desc, id desc);
create index parcels_receiver_name on parcels (account_id, receiver_name, id);
-- Members who see their own only.
create index parcels_created_by on parcels (account_id, created_by, created_at desc, id desc);
-- What was delivered on a day, and what has not been scanned for long.
create index parcels_status_event on parcels (account_id, status, last_event_at desc);
