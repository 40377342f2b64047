-- A process that starts looks for sessions, users and accounts that changed within the last minutes: tokens made before that are void.
create index sessions_ended_at on sessions (ended_at) where ended_at is not null;
create index users_updated_at on users (updated_at);
create index accounts_updated_at on accounts (updated_at);

-- Only the newest code of a purpose and subject counts; the sweep goes by age.
create index one_time_codes_expires_at on one_time_codes (expires_at);
