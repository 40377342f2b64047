-- Identities of users at identity providers (OpenID Connect). A person is known by issuer and subject, never by the email
-- address, which the provider may change or hand to somebody else.
create table identities (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- that of the user: one person may be a customer and a member of staff
  kind text not null constraint identities_kind check (kind in ('customer', 'staff')),
  provider text not null constraint identities_provider check (provider in ('keycloak', 'ms365')),
  issuer text not null,
  subject text not null,
  -- what the provider called the person when the identity was connected; only shown
  email text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index identities_subject on identities (kind, issuer, subject);
-- A second identity of the same provider is refused: it may be a namesake, or somebody who got a freed address.
create unique index identities_user_issuer on identities (user_id, issuer);

-- A user's photo and preferences. A unit that is null is the deployment's.
alter table users
  add column photo_id uuid references attachments (id) on delete set null,
  add column weight_unit text constraint users_weight_unit check (weight_unit in ('kg', 'lb')),
  add column dimension_unit text constraint users_dimension_unit check (dimension_unit in ('cm', 'in')),
  add column muted_mails text[] not null default '{}';
create index users_photo on users (photo_id) where photo_id is not null;

-- When the owner deleted the account. Its orders, invoices and ledger stay.
alter table accounts add column closed_at timestamptz;
