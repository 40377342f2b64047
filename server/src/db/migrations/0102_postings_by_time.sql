-- no transaction
-- The debt of a company is read from its postings since the last statements: so far each payment read all of them.
drop index concurrently if exists journal_postings_time;
create index concurrently journal_postings_time on journal_postings (ledger_account_id, created_at) include (amount_minor);
