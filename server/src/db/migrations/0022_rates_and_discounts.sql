-- A version of a rate card is written as a draft and published once: from then on its lines stand still, so that every price made by it can be replayed.
alter table rate_cards
  add column status text not null default 'published' constraint rate_cards_status check (status in ('draft', 'published')),
  -- counts the edits of a draft; `version` is the number of the card
  add column edits integer not null default 1,
  add column updated_at timestamptz not null default now(),
  alter column valid_from drop not null,
  add constraint rate_cards_published check (status = 'draft' or valid_from is not null),
  add constraint rate_cards_validity check (valid_to is null or valid_to >= valid_from);
create unique index rate_cards_one_draft on rate_cards (code) where status = 'draft';

alter table rate_lines
  add constraint rate_lines_carrier check (carrier in ('own', 'yunda', 'dhl')),
  add constraint rate_lines_prices check (first_price_minor >= 0 and step_price_minor >= 0),
  add constraint rate_lines_weights check (
    first_weight_grams > 0 and step_weight_grams > 0 and min_weight_grams > 0 and min_weight_grams <= max_weight_grams),
  add constraint rate_lines_transit check (transit_days >= 0);
create index rate_lines_origin on rate_lines (scope, origin_zone);
create index rate_lines_destination on rate_lines (scope, destination_zone);

-- What stands on a published card stays: neither a slip nor a script changes a price that somebody may ask about.
create function rate_lines_stand_still() returns trigger language plpgsql as $$
begin
  if exists (select from rate_cards where id = old.rate_card_id and status = 'published') then
    raise exception 'the lines of a published rate card do not change' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger rate_lines_stand_still before update or delete on rate_lines
  for each row execute function rate_lines_stand_still();

-- How a carrier counts weight and what it adds for fuel; null: the deployment's setting, or the rate's own step.
create table carrier_rules (
  carrier text primary key constraint carrier_rules_carrier check (carrier in ('own', 'yunda', 'dhl')),
  divisor integer constraint carrier_rules_divisor check (divisor between 1000 and 10000),
  rounding_grams integer constraint carrier_rules_rounding check (rounding_grams between 1 and 10000),
  fuel_basis_points integer constraint carrier_rules_fuel check (fuel_basis_points between 0 and 10000),
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
insert into carrier_rules (carrier, divisor, rounding_grams, fuel_basis_points) values
  ('own', null, null, null),
  ('yunda', 6000, 500, 0),
  ('dhl', 5000, 500, 1800);

-- What each carrier does for which kind of shipment. `closed`: customers see it, with the reason; `not_offered`: they don't see it at all.
create table services (
  scope text not null constraint services_scope check (scope in ('domestic', 'international')),
  carrier text not null references carrier_rules (carrier),
  service_type text not null constraint services_type check (service_type in ('e_parcel', 'semi_express', 'document')),
  status text not null default 'not_offered' constraint services_status check (status in ('open', 'closed', 'not_offered')),
  delivery_modes text[] not null default '{D2D,D2P,P2D,P2P}'
    constraint services_modes check (delivery_modes <@ '{D2D,D2P,P2D,P2P}'),
  cod boolean not null default false,
  -- null: the settings' own limits, or those for third parties
  max_weight_grams integer constraint services_max_weight check (max_weight_grams > 0),
  max_volumetric_grams integer constraint services_max_volumetric check (max_volumetric_grams > 0),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (scope, carrier, service_type)
);
insert into services (scope, carrier, service_type)
  select scope, carrier, service_type
  from unnest(array['domestic', 'international']) scope, carrier_rules,
    unnest(array['e_parcel', 'semi_express', 'document']) service_type;
update services set status = 'open', cod = true where scope = 'domestic' and carrier = 'own';
-- Abroad nobody of ours hands parcels out: to the door only.
update services set delivery_modes = '{D2D,P2D}' where scope = 'international';
update services set status = 'open'
  where scope = 'international' and (carrier, service_type) in (('dhl', 'semi_express'), ('dhl', 'document'), ('yunda', 'e_parcel'));

alter table holidays add column country text not null default 'my';
drop index holidays_day;
create unique index holidays_day on holidays (country, day, coalesce(state, ''));
create index accounts_rate_card on accounts (rate_card_code) where rate_card_code is not null;
