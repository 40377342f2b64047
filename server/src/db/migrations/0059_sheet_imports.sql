-- Imports of stations, coverage, zones and rate lines from spreadsheets: a preview, and what was applied.
create table sheet_imports (
  id uuid primary key,
  kind text not null,
  -- the rate card of rate lines
  subject_id uuid,
  -- the draft that rate lines were written to
  result_id uuid,
  created_by uuid not null references users (id),
  name text,
  -- the column of each of the file's columns, or null
  mapping jsonb not null,
  -- of the outcome of the check: another one means that the records have changed since
  fingerprint text not null,
  applied_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sheet_imports_updated on sheet_imports (updated_at);

create table sheet_import_rows (
  import_id uuid not null references sheet_imports on delete cascade,
  -- the rows of the file in their order, then the removed records
  position integer not null,
  -- as the spreadsheet counts; null for a removed record
  row_number integer,
  -- the text of each column
  cells jsonb not null,
  state text not null constraint sheet_import_rows_state
    check (state in ('new', 'changed', 'unchanged', 'removed', 'faulty')),
  -- as it will be stored; null for a faulty row and for a removed record
  record jsonb,
  before jsonb,
  problems jsonb not null default '[]',
  primary key (import_id, position)
);
create index sheet_import_rows_state on sheet_import_rows (import_id, state, position);
