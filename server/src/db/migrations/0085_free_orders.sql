-- no transaction
-- A free order is paid, too: its payment is 0, and settled from the start.
alter table payments drop constraint if exists payments_amount,
  add constraint payments_amount check (
    amount_minor > 0 or (amount_minor = 0 and purpose = 'order' and status = 'succeeded')) not valid;
alter table payments validate constraint payments_amount;
