-- no transaction
-- replaces 889191ec6a0c40d2efee5a100a76f2d58f2cc12cd03b2dafe88808e4942cf9a3
-- Counts what is there already, account by account. The triggers of the file before count what changes meanwhile.
call recount_all_figures();
-- The kinds of entries that claims need (0058): nobody waits while the entries are compared with them.
alter table journal_entries validate constraint journal_entries_kind;
