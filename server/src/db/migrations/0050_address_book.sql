-- Finds the same name or street however it is written: case, punctuation and the usual abbreviations do not count.
create function address_key(written text) returns text language sql immutable strict parallel safe
return regexp_replace(
  regexp_replace(
    regexp_replace(
      regexp_replace(lower(normalize(written, nfkc)), '\m(jln|jl)\M', 'jalan', 'g'),
      '\mtmn\M', 'taman', 'g'
    ),
    '^\s*no\M[.:]?\s*(?=\S*\d)', ''
  ),
  '[[:space:][:punct:]]+', '', 'g'
);

alter table addresses
  -- contradictions between city or state and postcode that somebody has confirmed, with the text of then
  add column overridden jsonb not null default '[]',
  -- a receiver has filled it in and nobody has looked at it yet
  add column is_new boolean not null default false,
  add column name_key text generated always as (address_key(contact_name)) stored,
  add column line_key text generated always as (address_key(line1)) stored;
create index addresses_same on addresses (account_id, phone, postcode, line_key);

-- Pairs of addresses that the user has looked at: no duplicates.
create table address_distinctions (
  account_id uuid not null,
  first_id uuid not null,
  second_id uuid not null,
  created_by uuid not null,
  created_at timestamptz not null,
  primary key (account_id, first_id, second_id),
  constraint address_distinctions_order check (first_id < second_id),
  foreign key (account_id, first_id) references addresses on delete cascade,
  foreign key (account_id, second_id) references addresses on delete cascade
);
-- The cascade of the second address looks here.
create index address_distinctions_second on address_distinctions (account_id, second_id);

-- Links by which receivers fill in their own address.
create table address_requests (
  account_id uuid not null references accounts (id),
  id uuid not null,
  -- SHA-256 of the token. The token itself is in the link alone.
  token_hash bytea not null constraint address_requests_token unique,
  label text,
  -- the address that the link was mailed to
  email text,
  created_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  withdrawn_at timestamptz,
  -- what the receiver filled in; null again once it is deleted
  address_id uuid,
  primary key (account_id, id),
  foreign key (account_id, address_id) references addresses on delete set null (address_id)
);
create index address_requests_created on address_requests (account_id, created_at desc, id desc);
create index address_requests_address on address_requests (account_id, address_id) where address_id is not null;
create index address_requests_expired on address_requests (expires_at);

-- Spreadsheets of addresses.
create table address_imports (
  account_id uuid not null references accounts (id),
  id uuid not null,
  created_by uuid not null,
  name text,
  -- until it has been read: a job may begin anew, and columns may have to be mapped first
  source bytea,
  source_format text not null constraint address_imports_format check (source_format in ('xlsx', 'csv')),
  status text not null constraint address_imports_status
    check (status in ('reading', 'columns', 'ready', 'saving', 'failed')),
  fault text,
  fault_vars jsonb not null default '{}',
  headers jsonb not null default '[]',
  -- a field for each header, or null
  mapping jsonb not null default '[]',
  rows_read integer not null default 0,
  attempts integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index address_imports_created on address_imports (account_id, created_at desc, id desc);
create index address_imports_updated on address_imports (updated_at);

create table address_import_rows (
  account_id uuid not null,
  import_id uuid not null,
  -- as the spreadsheet counts
  row_number integer not null,
  -- the text of each field in the contract's order
  cells jsonb not null,
  problems jsonb not null default '[]',
  state text not null constraint address_import_rows_state
    check (state in ('good', 'duplicate', 'contradiction', 'bad', 'imported')),
  -- the address as it will be stored; null for a bad row
  content jsonb,
  chosen boolean not null default false,
  address_id uuid,
  primary key (account_id, import_id, row_number),
  foreign key (account_id, import_id) references address_imports on delete cascade
);
