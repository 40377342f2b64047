-- What people upload: photos, signatures on paper, artwork. The bytes lie in the file store under `storage_key`; a link has an address instead.
create table attachments (
  id uuid primary key,
  -- whose it is; null while a member of staff has uploaded it and nothing has claimed it yet
  account_id uuid references accounts (id),
  uploaded_by uuid not null references users (id),
  type text not null constraint attachments_type check (type in ('url', 'file')),
  purpose text not null,
  name text not null,
  url text,
  storage_key text constraint attachments_storage_key_unique unique,
  media_type text,
  bytes integer,
  width integer,
  height integer,
  sha256 bytea,
  -- the thing that uses it; what nothing has claimed is swept after a day
  subject_kind text,
  subject_id uuid,
  claimed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint attachments_content check ((type = 'file') = (storage_key is not null) and (type = 'url') = (url is not null)),
  constraint attachments_claim check ((claimed_at is null) = (subject_id is null) and (subject_id is null) = (subject_kind is null))
);
create index attachments_account on attachments (account_id, created_at desc, id desc);
create index attachments_subject on attachments (subject_id) where subject_id is not null;
create index attachments_unclaimed on attachments (updated_at) where claimed_at is null;

-- Files in the store that no row names: written before their row commits, or left behind by one that is gone. Swept after an hour.
create table loose_files (
  storage_key text primary key,
  since timestamptz not null default now()
);
create index loose_files_since on loose_files (since);
