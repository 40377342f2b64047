-- Trigram search over address books and parcel lists, together with the account's id in one index. Both extensions are trusted.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Settings of the deployment: a missing key has its default in code. Secrets hold ciphertext.
create table settings (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid
);

-- First answers to requests with an Idempotency-Key, for the caller (account or member of staff) that sent them.
create table idempotency_keys (
  caller_id uuid not null,
  key text not null,
  endpoint text not null,
  request_hash text not null,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (caller_id, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Request counters; loss at a crash does no harm.
create unlogged table rate_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at on rate_limits (resets_at);

-- What a lower domain tells higher ones: written in the transaction that made it true, handed out by the dispatcher, then deleted.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);

-- Who did what. Levels are RFC 5424 severities.
create table activity_log (
  id uuid primary key,
  account_id uuid,
  user_id uuid,
  level text not null default 'INFO',
  action text not null,
  subject text,
  detail jsonb not null default '{}',
  ip text,
  at timestamptz not null default now()
);
create index activity_log_account on activity_log (account_id, at desc, id desc);
create index activity_log_at on activity_log (at desc, id desc);
