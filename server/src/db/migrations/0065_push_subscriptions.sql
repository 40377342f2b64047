-- Browsers that get push messages. The endpoint is a secret of the push service: whoever has it can send there.
create table push_subscriptions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- the session that subscribed; once it has ended, nothing is sent
  session_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  device text,
  created_at timestamptz not null
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
create index push_subscriptions_user on push_subscriptions (user_id, created_at desc, id desc);
