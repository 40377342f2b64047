-- The user who opened a ticket, who gets its notifications. created_by decides who sees it: for a claim it is the creator
-- of the parcel, though a colleague may make the claim. Null for older tickets: the same user.
alter table tickets add column opened_by uuid;
