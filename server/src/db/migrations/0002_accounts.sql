create table accounts (
  id uuid primary key,
  user_type text not null constraint accounts_user_type check (user_type in ('customer', 'corporate')),
  name text not null,
  status text not null default 'active' constraint accounts_status check (status in ('active', 'inactive', 'blacklisted')),
  registration_number text,
  tax_number text,
  rate_card_code text,
  discount_type text constraint accounts_discount_type check (discount_type in ('fixed', 'percentage')),
  -- minor units for fixed, basis points for percentage
  discount_value integer not null default 0,
  credit_limit_minor bigint not null default 0,
  credit_terms_days integer not null default 30,
  consent_version text,
  consent_at timestamptz,
  consent_by uuid,
  consent_ip text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  kind text not null constraint users_kind check (kind in ('customer', 'staff')),
  account_id uuid references accounts (id),
  email text not null,
  password_hash text,
  name text not null,
  phone text,
  language text not null default 'en' constraint users_language check (language in ('en', 'cn_zh')),
  status text not null default 'active' constraint users_status check (status in ('active', 'inactive', 'blacklisted')),
  is_owner boolean not null default false,
  permissions text[] not null default '{}',
  staff_type text constraint users_staff_type check (staff_type in ('superadmin', 'admin', 'staff')),
  staff_role text,
  station_id uuid,
  failed_logins integer not null default 0,
  locked_until timestamptz,
  last_login_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_belong check ((kind = 'customer') = (account_id is not null) and (kind = 'staff') = (staff_type is not null))
);
create unique index users_email on users (kind, lower(email));
create index users_account on users (account_id);

-- One row a signed-in device: the family of its rotating refresh tokens.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  token_hash bytea not null,
  previous_token_hash bytea,
  rotated_at timestamptz not null default now(),
  user_agent text,
  ip text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id, last_used_at desc);

-- Mailed codes and links: registration, forgotten password, wallet PIN. Only hashes are kept.
create table one_time_codes (
  id uuid primary key,
  purpose text not null,
  -- whose: the user, or the address of somebody who has no account yet
  subject text not null,
  code_hash bytea not null,
  link_hash bytea,
  attempts integer not null default 0,
  payload jsonb not null default '{}',
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index one_time_codes_subject on one_time_codes (purpose, subject, created_at desc);
create unique index one_time_codes_link on one_time_codes (link_hash);
