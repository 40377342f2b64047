-- Reports as files that a job makes, kept for some days. A file without an account is of the whole deployment.
create table report_files (
  id uuid primary key,
  account_id uuid references accounts (id),
  created_by uuid not null,
  -- set: only orders that this user created
  only_created_by uuid,
  filters jsonb not null,
  format text not null constraint report_files_format check (format in ('pdf', 'xlsx', 'csv')),
  language text not null,
  state text not null default 'queued'
    constraint report_files_state check (state in ('queued', 'running', 'ready', 'failed')),
  failure text constraint report_files_failure check (failure in ('writing', 'storing')),
  total integer not null,
  done integer not null default 0,
  name text,
  storage_key text,
  bytes bigint,
  created_at timestamptz not null,
  constraint report_files_ready check ((state = 'ready') = (num_nonnulls(name, storage_key, bytes) = 3)),
  constraint report_files_failed check ((state = 'failed') = (failure is not null))
);
create index report_files_created on report_files (created_at);
