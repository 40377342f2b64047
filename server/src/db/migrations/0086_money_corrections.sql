-- no transaction
-- Money that comes late, a withdrawal that the bank returns and a cancelled receipt are kinds of entries.
alter table journal_entries drop constraint if exists journal_entries_kind,
  add constraint journal_entries_kind check (kind in (
    'topup', 'bonus', 'order', 'refund', 'outstanding', 'cod_payout', 'cod_collected', 'receipt', 'cash', 'adjustment',
    'claim', 'withdrawal', 'late_payment', 'withdrawal_returned', 'receipt_cancelled')) not valid;
alter table journal_entries validate constraint journal_entries_kind;
-- Money for a deleted account is a trouble of the gateway.
alter table gateway_messages drop constraint if exists gateway_messages_trouble,
  add constraint gateway_messages_trouble check (
    trouble in ('refused', 'wrong_amount', 'contradiction', 'unconfirmed', 'account_closed')) not valid;
alter table gateway_messages validate constraint gateway_messages_trouble;
-- A receipt that was recorded by mistake: when it was cancelled, by whom and why.
alter table corporate_receipts
  add column if not exists cancelled_at timestamptz,
  add column if not exists cancelled_by uuid,
  add column if not exists cancel_reason text;
-- The fee of a payout is an order with an invoice.
alter table cod_payouts add column if not exists fee_order_id uuid;
