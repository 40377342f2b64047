-- A statement keeps the exact time that it covers: the months of another time zone begin and end at other moments.
alter table corporate_statements add column begins_at timestamptz, add column ends_at timestamptz;
update corporate_statements
set begins_at = month::timestamp at time zone zone.name,
  ends_at = (month + interval '1 month')::timestamp at time zone zone.name
from (
  select coalesce((select value #>> '{}' from settings where key = 'timezone'), 'Asia/Kuala_Lumpur') as name
) zone;
alter table corporate_statements
  alter column begins_at set not null,
  alter column ends_at set not null,
  add constraint corporate_statements_period check (begins_at < ends_at);
