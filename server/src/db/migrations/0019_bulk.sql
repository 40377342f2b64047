-- Spreadsheets of parcels: what was uploaded, and every row with its problems until it goes to the cart.
create table bulk_batches (
  account_id uuid not null references accounts (id),
  id uuid not null,
  created_by uuid not null,
  -- of the file; null for pasted cells
  name text,
  -- sha-256 of what was uploaded: the same file again is recognised
  file_hash text not null,
  -- until it has been read: a job may begin anew, and columns may have to be named first
  source bytea,
  source_format text not null constraint bulk_batches_format check (source_format in ('xlsx', 'csv', 'json')),
  status text not null constraint bulk_batches_status check (status in ('reading', 'columns', 'ready', 'failed')),
  -- why it could not be read, and what goes into the text of it
  fault text,
  fault_vars jsonb not null default '{}',
  headers jsonb not null default '[]',
  -- a field for each header, or null
  mapping jsonb not null default '[]',
  rows_read integer not null default 0,
  -- who sends: a snapshot of the address
  sender jsonb,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index bulk_batches_created on bulk_batches (account_id, created_at desc, id desc);
create index bulk_batches_file on bulk_batches (account_id, file_hash, created_at desc);

create table bulk_rows (
  account_id uuid not null,
  batch_id uuid not null,
  -- as the spreadsheet counts
  row_number integer not null,
  -- the text of each field in the contract's order
  cells jsonb not null,
  -- null: none
  problems jsonb,
  state text not null constraint bulk_rows_state check (state in ('good', 'bad', 'carted')),
  price_minor bigint,
  -- of what the row says: the same parcel again is recognised, in whatever file
  hash text,
  -- the sender knows that it is the same again
  anyway boolean not null default false,
  -- contradictions of addresses that the sender insists on, each with what was written, by whom and when
  insisted jsonb,
  parcel_id uuid,
  version integer not null default 1,
  -- no foreign key: ten thousand rows come and go with their batch, by the only two statements that delete them
  primary key (account_id, batch_id, row_number)
);
create index bulk_rows_hash on bulk_rows (account_id, hash) where hash is not null;

-- The batch that a parcel came from.
alter table parcels add column batch_id uuid;
