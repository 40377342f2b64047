-- What a sender says beside the address and the size: customs, money to collect, photos, and what the sender insisted on.
alter table parcels
  -- the declaration as it was written: reason, lines, numbers of papers
  add column customs jsonb,
  add column collection_mode text constraint parcels_collection_mode check (collection_mode in ('in_store', 'cod')),
  add column photo_ids uuid[],
  -- parties of a draft that are not complete yet
  add column unfinished jsonb,
  -- contradictions that the sender insisted on: which, for which postcode, who and when
  add column shipped_anyway jsonb;

-- Money that was to be collected before there was a choice of where.
update parcels set collection_mode = case when delivery_mode like '%P' then 'in_store' else 'cod' end where cod_amount_minor > 0;
