-- Invoices and credit notes are numbered in one way: the series' counter of the year is raised while the transaction commits, and a document that is rolled back takes
-- no number (migration 0015 says why). The series is its prefix, so that they do not wait for each other.
create table document_counters (
  series text not null,
  year integer not null,
  last integer not null default 0,
  primary key (series, year)
);
insert into document_counters (series, year, last)
  select 'INV', year, last from invoice_counters union all select 'CN', year, last from credit_note_counters;

create function documents_number() returns trigger language plpgsql as $$
declare
  serial integer;
  named text;
begin
  insert into document_counters as c (series, year, last) values (tg_argv[0], new.year, 1)
    on conflict (series, year) do update set last = c.last + 1
    returning last into serial;
  named := tg_argv[0] || '-' || new.year || '-' || lpad(serial::text, greatest(6, length(serial::text)), '0');
  if tg_table_name = 'invoices' then
    update invoices set number = named where account_id = new.account_id and id = new.id;
  else
    update credit_notes set number = named where account_id = new.account_id and id = new.id;
  end if;
  return null;
end $$;
drop trigger invoices_number on invoices;
drop trigger credit_notes_number on credit_notes;
create constraint trigger invoices_number after insert on invoices
  deferrable initially deferred for each row when (new.number is null) execute function documents_number('INV');
create constraint trigger credit_notes_number after insert on credit_notes
  deferrable initially deferred for each row when (new.number is null) execute function documents_number('CN');
drop function invoices_number();
drop function credit_notes_number();
drop table invoice_counters;
drop table credit_note_counters;

-- The paper of a sale has a number of its drawer's day, without gaps since a drawer is locked while it sells; what is printed after the first time is a copy.
alter table cash_movements add column receipt_number text constraint cash_movements_receipt unique;
alter table cash_movements add column receipt_prints integer not null default 0 constraint cash_movements_prints check (receipt_prints >= 0);
update cash_movements m set receipt_number = n.number
from (
  select s.drawer_id, s.id, t.code || '-' || to_char(d.day, 'YYYYMMDD') || '-'
    || lpad((row_number() over (partition by s.drawer_id order by s.id))::text, 4, '0') as number
  from cash_movements s join cash_drawers d on d.id = s.drawer_id join stations t on t.id = d.station_id
  where s.kind = 'sale'
) n
where m.drawer_id = n.drawer_id and m.id = n.id;
alter table cash_movements add constraint cash_movements_receipt_of_sale check ((kind = 'sale') = (receipt_number is not null));
