-- Second factors of staff. Secrets are encrypted, recovery codes are kept as keyed hashes.
create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- null until the first set-up is confirmed
  secret text,
  -- set up, and not confirmed by a code yet
  pending_secret text,
  -- the time step of the last accepted code: this and older ones are refused
  last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint second_factors_confirmed check ((secret is null) = (confirmed_at is null))
);

-- Devices that a user has signed in from: a sign-in from another one is mailed to the user.
create table known_devices (
  user_id uuid not null references users (id) on delete cascade,
  device_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, device_hash)
);
create index known_devices_last_used on known_devices (last_used_at);

-- Where an invitation was sent. It becomes the user's address with the first password: until then nobody has proven it, and an
-- inviter cannot learn from a conflict whether the address has an account.
alter table users add column invited_email text;
create unique index users_invited_email on users (account_id, lower(invited_email)) where invited_email is not null;

-- Sessions end 30 days after the sign-in, of staff after 12 hours.
update sessions s set expires_at = least(s.expires_at,
    s.created_at + case when u.kind = 'staff' then interval '12 hours' else interval '30 days' end)
  from users u where u.id = s.user_id and s.ended_at is null;
