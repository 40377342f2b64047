-- Who opened a ticket and is notified of it. A claim belongs to whoever created its parcel (created_by), but a colleague
-- may make it. Null: the same user, for tickets from before.
alter table tickets add column opened_by uuid;
