-- How its order is paid, for whoever looks for parcels by it; null before a checkout.
alter table parcels add column payment_method text;
update parcels p set payment_method = o.payment_method from orders o
  where o.account_id = p.account_id and o.id = p.order_id and o.payment_method is not null;
create index parcels_payment_method on parcels (account_id, payment_method, created_at desc, id desc) where payment_method is not null;
-- The last digits of a number are what a torn note still shows.
create index parcels_number_end on parcels (account_id, reverse(tracking_number) text_pattern_ops) where tracking_number is not null;

-- What of a parcel is looked for and does not change once it is on its way, beside the parcel: so a status that changes pays for none of these indexes. Each filter has
-- one that gives its parcels in the order of the list.
create table parcel_search (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  created_by uuid not null,
  scope text not null,
  service_type text,
  delivery_mode text,
  carrier text,
  batch_id uuid,
  with_cod boolean not null,
  receiver_name text,
  receiver_phone text,
  -- in lower case
  receiver_state text,
  receiver_city text,
  receiver_postcode text,
  -- reference, names and phones, in lower case, each behind a blank
  words text not null,
  primary key (account_id, id)
);

create function parcel_words(reference text, receiver jsonb, sender jsonb) returns text language sql immutable as $$
  select lower(' ' || coalesce(reference, '') || ' ' || coalesce(receiver ->> 'contactName', '') || ' ' || coalesce(receiver ->> 'company', '') || ' '
    || coalesce(receiver ->> 'phone', '') || ' ' || coalesce(sender ->> 'contactName', '') || ' ' || coalesce(sender ->> 'phone', ''))
$$;

insert into parcel_search
  select p.account_id, p.id, p.created_at, p.created_by, p.scope, p.service_type, p.delivery_mode, p.carrier, p.batch_id, p.cod_amount_minor is not null,
    p.receiver ->> 'contactName', p.receiver ->> 'phone', lower(p.receiver ->> 'state'), lower(p.receiver ->> 'city'), lower(p.receiver ->> 'postcode'),
    parcel_words(p.reference, p.receiver, p.sender)
  from parcels p;

create index parcel_search_words on parcel_search using gin (account_id, words gin_trgm_ops);
create index parcel_search_name on parcel_search (account_id, receiver_name, id);
create index parcel_search_phone on parcel_search (account_id, receiver_phone, created_at desc, id desc);
create index parcel_search_abroad on parcel_search (account_id, created_at desc, id desc) where scope = 'international';
create index parcel_search_cod on parcel_search (account_id, created_at desc, id desc) where with_cod;
create index parcel_search_batch on parcel_search (account_id, batch_id, created_at desc, id desc) where batch_id is not null;
create index parcel_search_service on parcel_search (account_id, service_type, created_at desc, id desc);
create index parcel_search_mode on parcel_search (account_id, delivery_mode, created_at desc, id desc);
create index parcel_search_carrier on parcel_search (account_id, carrier, created_at desc, id desc);
create index parcel_search_state on parcel_search (account_id, receiver_state, created_at desc, id desc);
create index parcel_search_city on parcel_search (account_id, receiver_city, created_at desc, id desc);
create index parcel_search_postcode on parcel_search (account_id, receiver_postcode text_pattern_ops, created_at desc, id desc);

-- The database keeps it: whoever writes a parcel, by whatever statement, can not forget it.
create function parcel_search_insert() returns trigger language plpgsql as $$
begin
  insert into parcel_search
    select p.account_id, p.id, p.created_at, p.created_by, p.scope, p.service_type, p.delivery_mode, p.carrier, p.batch_id, p.cod_amount_minor is not null,
      p.receiver ->> 'contactName', p.receiver ->> 'phone', lower(p.receiver ->> 'state'), lower(p.receiver ->> 'city'), lower(p.receiver ->> 'postcode'),
      parcel_words(p.reference, p.receiver, p.sender)
    from fresh p;
  return null;
end $$;
create trigger parcel_search_insert after insert on parcels referencing new table as fresh
  for each statement execute function parcel_search_insert();

create function parcel_search_update() returns trigger language plpgsql as $$
begin
  update parcel_search s set created_at = new.created_at, scope = new.scope, service_type = new.service_type, delivery_mode = new.delivery_mode, carrier = new.carrier,
    batch_id = new.batch_id, with_cod = new.cod_amount_minor is not null, receiver_name = new.receiver ->> 'contactName',
    receiver_phone = new.receiver ->> 'phone', receiver_state = lower(new.receiver ->> 'state'), receiver_city = lower(new.receiver ->> 'city'),
    receiver_postcode = lower(new.receiver ->> 'postcode'), words = parcel_words(new.reference, new.receiver, new.sender)
  where s.account_id = new.account_id and s.id = new.id;
  return null;
end $$;
create trigger parcel_search_update
  after update of created_at, reference, scope, service_type, delivery_mode, carrier, batch_id, cod_amount_minor, sender, receiver on parcels
  for each row when (
    (old.created_at, old.reference, old.scope, old.service_type, old.delivery_mode, old.carrier, old.batch_id, old.cod_amount_minor, old.sender, old.receiver)
    is distinct from
    (new.created_at, new.reference, new.scope, new.service_type, new.delivery_mode, new.carrier, new.batch_id, new.cod_amount_minor, new.sender, new.receiver))
  execute function parcel_search_update();

create function parcel_search_delete() returns trigger language plpgsql as $$
begin
  delete from parcel_search s using gone g where s.account_id = g.account_id and s.id = g.id;
  return null;
end $$;
create trigger parcel_search_delete after delete on parcels referencing old table as gone
  for each statement execute function parcel_search_delete();

-- What the table above answers now.
drop index parcels_search;
drop index parcels_receiver_phone;
drop index parcels_receiver_name;
alter table parcels drop column search_text;
alter table parcels drop column receiver_name;
