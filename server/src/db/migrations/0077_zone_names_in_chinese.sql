-- Chinese pages show it; null: the English name.
alter table zones add column name_zh text;
