-- no transaction
-- The cleanup deletes a thousand expired sessions at a time. Without an index each thousand reads the whole table.
drop index concurrently if exists sessions_expires_at;
create index concurrently sessions_expires_at on sessions (expires_at);
