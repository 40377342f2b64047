-- The staff of the deployment, newest first.
create index users_staff on users (created_at desc, id desc) where kind = 'staff' and removed_at is null;
-- What a user did, newest first: staff act on many accounts, so the account does not come first.
drop index activity_log_user;
create index activity_log_actor on activity_log (user_id, at desc, id desc) where user_id is not null;
-- A member of staff works at a station that exists.
alter table users add constraint users_station foreign key (station_id) references stations (id);
