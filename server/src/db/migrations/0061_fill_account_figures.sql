-- no transaction
-- Counts what is there already, account by account. The triggers of the file before count what changes meanwhile.
call recount_all_figures();
