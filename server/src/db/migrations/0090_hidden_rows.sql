-- no transaction
-- A row of an import of addresses that its spreadsheet does not show is left out unless the user takes it.
alter table address_import_rows drop constraint if exists address_import_rows_state,
  add constraint address_import_rows_state
    check (state in ('good', 'hidden', 'duplicate', 'contradiction', 'bad', 'imported')) not valid;
alter table address_import_rows validate constraint address_import_rows_state;
-- Imports of records have to take such rows, and say how many there are.
alter table sheet_imports add column if not exists hidden_rows integer not null default 0;
