-- Terms of carriage and privacy notice. A version never changes: users and orders name the one that they accepted.
create table legal_texts (
  kind text not null constraint legal_texts_kind check (kind in ('terms', 'privacy')),
  version integer not null constraint legal_texts_version check (version > 0),
  -- by language; English always
  text jsonb not null,
  published_by uuid references users (id),
  published_at timestamptz not null,
  primary key (kind, version)
);

-- The versions that were in force at the registration and at the checkout; null where none was published.
alter table users add column terms_version integer, add column privacy_version integer;
alter table orders add column terms_version integer;
