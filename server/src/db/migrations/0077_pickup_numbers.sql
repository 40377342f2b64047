-- no transaction
-- Staff search for a pickup by its number, over all accounts.
drop index concurrently if exists pickup_requests_number;
create unique index concurrently pickup_requests_number on pickup_requests (number);
