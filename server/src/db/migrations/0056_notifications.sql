-- What people were told of. Texts are not stored: kind and facts are put into words in the reader's language.
create table notifications (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- a key of notificationKinds in the contract
  kind text not null,
  -- the record that the notification opens, where its page has an id
  subject_id uuid,
  facts jsonb not null default '{}',
  -- of how many it speaks: 37 parcels were delivered
  items integer not null default 1 constraint notifications_items check (items > 0),
  -- further ones of the kind may still join, until it is delivered
  collects boolean not null default false,
  created_at timestamptz not null,
  read_at timestamptz,
  -- mail, push and pop-up wait until then: for further ones, or for the end of the reader's quiet hours
  waits_until timestamptz,
  -- when mail and push were queued; null while they wait
  delivered_at timestamptz,
  constraint notifications_delivery check ((waits_until is null) = (delivered_at is not null))
);
create index notifications_list on notifications (user_id, created_at desc, id desc);
create index notifications_unread on notifications (user_id, created_at desc, id desc) where read_at is null;
create index notifications_waiting on notifications (waits_until) where waits_until is not null;
create index notifications_old on notifications (created_at);
-- One that collects for each reader and kind: two transactions that tell of the same kind add to one row.
create unique index notifications_collecting on notifications (user_id, kind)
  where collects and waits_until is not null;

-- Which browser (session) popped a notification up, so that two tabs do not both show it.
create table notification_popups (
  notification_id uuid not null references notifications (id) on delete cascade,
  session_id uuid not null,
  primary key (notification_id, session_id)
);

-- What a user changed; without a row the defaults of the contract hold.
create table notification_preferences (
  user_id uuid primary key references users (id) on delete cascade,
  -- "topic.channel": whether it is on
  channels jsonb not null default '{}',
  -- HH:mm in the time zone of the deployment; both or neither
  quiet_from text,
  quiet_until text,
  version integer not null default 1,
  updated_at timestamptz not null,
  constraint notification_preferences_quiet check ((quiet_from is null) = (quiet_until is null))
);

-- Kinds of mails that users had switched off are the same topics.
insert into notification_preferences (user_id, channels, updated_at)
select u.id, (select jsonb_object_agg(topic || '.mail', false) from unnest(u.muted_mails) topic), now()
from users u
where u.muted_mails <> '{}';
alter table users drop column muted_mails;
