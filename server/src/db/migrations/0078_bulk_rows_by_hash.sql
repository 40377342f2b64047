-- no transaction
-- replaces d12395c101a027a56586a497e382d1b0732c1dde8196cc9e9e89953acf88d00f
-- Duplicates are looked up by the hash alone. An index on the account as well is not needed, and a lookup that also
-- compares the account could be planned with the primary key, which reads all rows of the account for every hash.
drop index concurrently if exists bulk_rows_same_hash;
create index concurrently bulk_rows_same_hash on bulk_rows (hash) where hash is not null;
drop index concurrently if exists bulk_rows_hash;
