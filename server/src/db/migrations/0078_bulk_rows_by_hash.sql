-- no transaction
-- Duplicates are looked up by the hash alone. An index on the account as well is not needed, and a lookup that also
-- compares the account could be planned with the primary key, which reads all rows of the account for every hash.
create index concurrently if not exists bulk_rows_same_hash on bulk_rows (hash) where hash is not null;
drop index concurrently if exists bulk_rows_hash;
