-- no transaction
-- replaces 94495b654228587ec5cf05d8cedf00801a89381d87cc32914afd33b3b73cd921
-- The staff of the deployment, newest first.
drop index concurrently if exists users_staff;
create index concurrently users_staff on users (created_at desc, id desc) where kind = 'staff' and removed_at is null;
-- What a user did, newest first: staff act on many accounts, so the account does not come first.
drop index concurrently if exists activity_log_user;
drop index concurrently if exists activity_log_actor;
create index concurrently activity_log_actor on activity_log (user_id, at desc, id desc) where user_id is not null;
-- A member of staff works at a station that exists.
alter table users drop constraint if exists users_station;
alter table users add constraint users_station foreign key (station_id) references stations (id) not valid;
alter table users validate constraint users_station;
