-- no transaction
-- Cleanups delete a thousand rows at a time, the oldest first. Without an index each thousand reads the whole table.
drop index concurrently if exists gateway_messages_at;
create index concurrently gateway_messages_at on gateway_messages (at);
drop index concurrently if exists bulk_batches_updated_at;
create index concurrently bulk_batches_updated_at on bulk_batches (updated_at);
drop index concurrently if exists api_key_spending_day;
create index concurrently api_key_spending_day on api_key_spending (day);
