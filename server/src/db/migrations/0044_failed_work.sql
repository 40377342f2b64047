-- An event whose handler throws is tried again by itself, apart from the others.
alter table outbox
  add column attempts smallint not null default 0,
  -- Null: at once.
  add column try_at timestamptz;

-- Events that were tried often enough, apart from the table that is looked at twice a second. Staff send them back.
create table outbox_failed (
  id bigint primary key,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  attempts smallint not null,
  last_error text not null,
  failed_at timestamptz not null default now(),
  -- When staff were told by mail.
  told_at timestamptz
);
create index outbox_failed_at on outbox_failed (failed_at desc, id desc);
