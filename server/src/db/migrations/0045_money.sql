-- A payment that the gateway called paid, but neither confirms nor denies when it is asked: it stays open, and staff see it.
alter table gateway_messages drop constraint gateway_messages_trouble;
alter table gateway_messages add constraint gateway_messages_trouble
  check (trouble in ('refused', 'wrong_amount', 'contradiction', 'unconfirmed'));
-- How often a waiting page made us ask the gateway: the pauses between two questions grow with it.
alter table payments add column asks integer not null default 0;

-- A rider's money as somebody else counted it. What was missing keeps its reason.
create table cash_hand_ins (
  id uuid primary key,
  number text not null constraint cash_hand_ins_number unique,
  drawer_id uuid not null references cash_drawers (id),
  station_id uuid not null references stations (id),
  rider_id uuid not null,
  counted_by uuid not null,
  currency text not null,
  parcel_count integer not null,
  expected_minor bigint not null constraint cash_hand_ins_expected check (expected_minor > 0),
  counted_minor bigint not null constraint cash_hand_ins_counted check (counted_minor >= 0),
  -- [{valueMinor, count}], where it was counted piece by piece
  pieces jsonb,
  reason text,
  created_at timestamptz not null,
  constraint cash_hand_ins_two_people check (rider_id <> counted_by),
  constraint cash_hand_ins_explained check (counted_minor = expected_minor or reason is not null)
);
create index cash_hand_ins_newest on cash_hand_ins (created_at desc, id desc);
create index cash_hand_ins_station on cash_hand_ins (station_id, created_at desc, id desc);
create index cash_hand_ins_differing on cash_hand_ins (created_at desc, id desc) where counted_minor <> expected_minor;
create sequence cash_hand_in_serial;
-- What a rider collected names the hand-in that it went with.
alter table cod_collections add column hand_in_id uuid;
create index cod_collections_hand_in on cod_collections (hand_in_id) where hand_in_id is not null;
