-- A payment that the gateway called paid, but neither confirms nor denies when it is asked: it stays open, and staff see it.
alter table gateway_messages drop constraint gateway_messages_trouble;
alter table gateway_messages add constraint gateway_messages_trouble
  check (trouble in ('refused', 'wrong_amount', 'contradiction', 'unconfirmed'));
-- How often a waiting page made us ask the gateway: the pauses between two questions grow with it.
alter table payments add column asks integer not null default 0;
