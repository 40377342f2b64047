-- Steps of the set-up that somebody has confirmed: their defaults are usable, so the values alone do not tell.
-- `mail` is confirmed by a test mail that the mail server took.
create table setup_confirmations (
  step text primary key constraint setup_confirmations_step check (step in ('company', 'money', 'mail')),
  confirmed_at timestamptz not null,
  confirmed_by uuid not null references users (id)
);
