-- no transaction
-- The rounding of cash sales has a book of its own (decision 101). Earlier entries stay in cash_difference.
alter table ledger_accounts drop constraint if exists ledger_accounts_kind,
  add constraint ledger_accounts_kind check (kind in (
  'customer_wallet', 'gateway_clearing', 'station_cash', 'bank', 'corporate_receivable', 'revenue', 'tax', 'refunds',
  'cod_payable', 'promotion', 'petty_cash', 'cash_difference', 'cash_rounding', 'claims')) not valid;
alter table ledger_accounts validate constraint ledger_accounts_kind;
