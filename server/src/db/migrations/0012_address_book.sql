-- Address books are listed by name.
create index addresses_name on addresses (account_id, lower(contact_name), id);
