-- no transaction
-- Money that staff transfer to a customer's bank is a kind of entry. Nobody waits while the entries are compared with it.
alter table journal_entries drop constraint if exists journal_entries_kind,
  add constraint journal_entries_kind check (kind in (
    'topup', 'bonus', 'order', 'refund', 'outstanding', 'cod_payout', 'cod_collected', 'receipt', 'cash', 'adjustment',
    'claim', 'withdrawal')) not valid;
alter table journal_entries validate constraint journal_entries_kind;
-- What a user spent: the orders and amounts due that the user paid.
drop index concurrently if exists journal_entries_spent;
create index concurrently journal_entries_spent on journal_entries (account_id, created_by, created_at)
  where kind in ('order', 'outstanding');
-- No query has used it since amounts due count too.
drop index concurrently if exists journal_entries_billed;
