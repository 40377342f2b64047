-- Visitors who follow a parcel by email. Unconfirmed requests are deleted after a day, all others when it has ended.
create table tracking_follows (
  id uuid primary key,
  account_id uuid not null,
  parcel_id uuid not null,
  email text not null,
  language text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- how many public events of the parcel the follower knows of
  told_events integer not null default 0,
  foreign key (account_id, parcel_id) references parcels (account_id, id) on delete cascade,
  constraint tracking_follows_email unique (parcel_id, email)
);
create index tracking_follows_created on tracking_follows (created_at);
