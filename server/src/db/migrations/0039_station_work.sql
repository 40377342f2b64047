-- A station may withdraw its own re-weighing when the reading was wrong.
alter table parcel_weighings drop constraint parcel_weighings_state;
alter table parcel_weighings add constraint parcel_weighings_state
  check (state in ('noted', 'open', 'accepted', 'contested', 'upheld', 'adjusted', 'waived', 'withdrawn'));

-- The counts that named something missing, for the list of what has not been found yet.
create index gunny_checks_missing on gunny_checks (at desc, id desc) where missing <> '{}';
