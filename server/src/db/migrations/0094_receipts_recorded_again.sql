-- no transaction
-- A receipt that was cancelled stays as it is, and the same transfer is recorded again as a new one: the statements
-- count both, each in its month. While old processes still run, they cannot record receipts.
drop index concurrently if exists corporate_receipts_valid;
create unique index concurrently corporate_receipts_valid
  on corporate_receipts (account_id, reference, received_on, amount_minor) where cancelled_at is null;
alter table corporate_receipts drop constraint if exists corporate_receipts_once;
