-- Messages between customers and staff. A thread is about one parcel, order or ticket and has its id.
create table chat_threads (
  account_id uuid not null references accounts (id),
  id uuid not null,
  subject text not null constraint chat_threads_subject check (subject in ('parcel', 'order', 'ticket')),
  -- the subject's tracking number, order number or ticket number
  number text not null,
  -- the user whose parcel, order or ticket it is: members who see only their own records see only their own threads
  created_by uuid not null,
  last_position integer not null default 0,
  last_at timestamptz not null,
  -- the positions that each side has read, and how many messages of the other side lie behind them
  customer_read integer not null default 0,
  customer_unread integer not null default 0,
  staff_read integer not null default 0,
  staff_unread integer not null default 0,
  -- the first customer message without an answer
  waiting_since timestamptz,
  assignee_id uuid references users (id),
  primary key (account_id, id),
  constraint chat_threads_id unique (id)
);
create index chat_threads_account on chat_threads (account_id, last_at desc, id desc);
create index chat_threads_unread on chat_threads (account_id, last_at desc, id desc) where customer_unread > 0;
create index chat_threads_waiting on chat_threads (waiting_since, id) where waiting_since is not null;
create index chat_threads_newest on chat_threads (last_at desc, id desc);
create index chat_threads_unassigned on chat_threads (last_at desc, id desc) where assignee_id is null;
create index chat_threads_assignee on chat_threads (assignee_id, last_at desc, id desc) where assignee_id is not null;
create index chat_threads_number on chat_threads (number text_pattern_ops);

create table chat_messages (
  account_id uuid not null,
  thread_id uuid not null,
  -- assigned under the lock of the thread, so that clocks of several processes cannot change the order
  position integer not null constraint chat_messages_position check (position > 0),
  id uuid not null,
  side text not null constraint chat_messages_side check (side in ('customer', 'staff')),
  author_id uuid not null,
  text text not null,
  files integer not null default 0,
  at timestamptz not null,
  primary key (account_id, thread_id, position),
  foreign key (account_id, thread_id) references chat_threads
);

-- Answers that staff have written for everybody in the inbox.
create table chat_answers (
  id uuid primary key,
  title text not null,
  text text not null,
  language text not null constraint chat_answers_language check (language in ('en', 'cn_zh')),
  version integer not null default 1,
  updated_by uuid not null,
  updated_at timestamptz not null,
  constraint chat_answers_title unique (language, title)
);
