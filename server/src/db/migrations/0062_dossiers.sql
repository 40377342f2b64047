-- Proof dossiers: files that a job makes, kept for some days.
create table dossiers (
  account_id uuid not null references accounts (id),
  id uuid not null,
  created_by uuid not null,
  -- set: only parcels that this user created
  only_created_by uuid,
  parcel_id uuid,
  order_id uuid,
  month date,
  format text not null constraint dossiers_format check (format in ('pdf', 'zip')),
  language text not null,
  name text not null,
  total integer not null,
  done integer not null default 0,
  failed boolean not null default false,
  storage_key text,
  bytes bigint,
  created_at timestamptz not null,
  primary key (account_id, id),
  constraint dossiers_subject check (num_nonnulls(parcel_id, order_id, month) = 1)
);
create index dossiers_created on dossiers (created_at);
create index parcel_proofs_month on parcel_proofs (account_id, at);
