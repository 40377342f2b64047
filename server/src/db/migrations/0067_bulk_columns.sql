-- The first cells below each header: the sender maps a column by what is in it, not by its name alone.
alter table bulk_batches add column samples jsonb not null default '[]';

-- What a sender said a header means: the next file with it is read without asking. `field` null: left out.
create table bulk_column_names (
  account_id uuid not null references accounts (id),
  -- as headers are compared: lower case, without spaces, units and punctuation
  header text not null,
  field text,
  updated_at timestamptz not null,
  primary key (account_id, header)
);
