-- The search box finds tickets by number, by title, and by the number of the parcel or order that they are about.
alter table tickets add column search_text text generated always as (
  lower(number || ' ' || title || ' ' || coalesce(about_number, ''))
) stored;
create index tickets_search on tickets using gin (account_id, search_text gin_trgm_ops);
-- The list for staff searches the same text now.
drop index tickets_number_search;
