-- no transaction
-- Staff search for a receiver's phone in all accounts; the search of one account uses the same index.
drop index concurrently if exists parcel_search_receiver_phone;
create index concurrently parcel_search_receiver_phone
  on parcel_search (receiver_phone, account_id, created_at desc, id desc);
drop index concurrently if exists parcel_search_phone;
-- Parcels that wait at a station to be collected: a counter finds them by the name of their receiver.
drop index concurrently if exists parcels_waiting_at_station;
create index concurrently parcels_waiting_at_station on parcels (self_collection_station_id, collect_until)
  where status = 'inbound' and collect_until is not null;
