-- A receiver's whole phone number is looked for more often than a part of it.
create index parcels_receiver_phone on parcels (account_id, (receiver ->> 'phone'));
