-- An invoice gets its number while its transaction commits: the year's counter, which all payments share, is then locked for the commit alone, however the
-- program is scheduled meanwhile, and a payment that is rolled back takes no number.
alter table invoices alter column number drop not null;
-- In the deployment's time zone; the program knows it.
alter table invoices add column year integer;

create function invoices_number() returns trigger language plpgsql as $$
declare
  serial integer;
begin
  insert into invoice_counters as c (year, last) values (new.year, 1)
    on conflict (year) do update set last = c.last + 1
    returning last into serial;
  update invoices set number = 'INV-' || new.year || '-' || lpad(serial::text, greatest(6, length(serial::text)), '0')
    where account_id = new.account_id and id = new.id;
  return null;
end $$;
create constraint trigger invoices_number after insert on invoices
  deferrable initially deferred for each row when (new.number is null) execute function invoices_number();

-- Each statement's postings must be zero in each currency by themselves, so there is no need to look at the table, which grows.
create or replace function ledger_check_zero() returns trigger language plpgsql as $$
declare bad uuid;
begin
  select n.entry_id into bad from inserted n group by n.entry_id, n.currency having sum(n.amount_minor) <> 0 limit 1;
  if bad is not null then
    raise exception 'journal entry % does not sum to zero', bad using errcode = 'check_violation', constraint = 'journal_entries_zero';
  end if;
  return null;
end $$;
