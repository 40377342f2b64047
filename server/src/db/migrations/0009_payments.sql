-- When the gateway was last asked about a payment: however often pages poll and however many processes there are, it is asked every few seconds at most.
alter table payments add column asked_at timestamptz;

-- An account's unpaid orders, locked before their parcels are; few at any time.
create index orders_unpaid on orders (account_id) where status = 'pending_payment';
