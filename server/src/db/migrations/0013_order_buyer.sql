-- Whom the invoice is made out to, as it was when the order was made: a payment needs to ask nobody then. Null in orders from before.
alter table orders add column buyer jsonb;
