-- API keys and webhooks of accounts. Of a key only a hash is stored: 256 random bits need no slow hash.
create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  -- the beginning of the key, which lists show
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  -- the most that the key may pay in a day; null: it may not pay
  daily_limit_minor bigint,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_limit check (('payments' = any (scopes)) = (daily_limit_minor is not null))
);
create unique index api_keys_secret on api_keys (secret_hash);
create index api_keys_account on api_keys (account_id, created_at desc);

-- What a key paid on a day. Two payments at once are counted one after the other, by the lock on this row.
create table api_key_spending (
  api_key_id uuid not null references api_keys (id),
  day date not null,
  spent_minor bigint not null,
  primary key (api_key_id, day)
);

-- Addresses that are told of events.
create table webhooks (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  url text not null,
  events text[] not null,
  status text not null default 'active' constraint webhooks_status check (status in ('active', 'paused', 'disabled')),
  -- encrypted: it signs each delivery
  secret text not null,
  -- the secret before a rotation, which signs as well until then
  previous_secret text,
  previous_until timestamptz,
  -- the number of the last event of this webhook
  last_sequence bigint not null default 0,
  -- deliveries that failed in a row, since when, and until when the receiver is left alone
  failures int not null default 0,
  failing_since timestamptz,
  retry_at timestamptz,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version int not null default 1
);
create index webhooks_account on webhooks (account_id, created_at desc);

-- The log of deliveries, and the queue of those that are still to be made.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks (id) on delete cascade,
  sequence bigint not null,
  event text not null,
  body text not null,
  status text not null default 'pending'
    constraint webhook_deliveries_status check (status in ('pending', 'delivered', 'failed')),
  attempts int not null default 0,
  -- when the next attempt is due
  due_at timestamptz,
  attempted_at timestamptz,
  response_status int,
  -- the beginning of the response
  response_excerpt text,
  -- why there was no response
  problem text,
  duration_ms int,
  created_at timestamptz not null,
  constraint webhook_deliveries_due check ((status = 'pending') = (due_at is not null))
);
create index webhook_deliveries_log on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_queue on webhook_deliveries (webhook_id, due_at) where status = 'pending';
create index webhook_deliveries_age on webhook_deliveries (created_at);
