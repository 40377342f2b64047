-- What invoices say of the buyer beside the name: lines of a postal address. Registration and tax number have been there from the beginning.
alter table accounts add column billing_address text;
