-- When a user of the account first printed a consignment note: the last of the first steps on the home page.
alter table accounts add column first_note_at timestamptz;
