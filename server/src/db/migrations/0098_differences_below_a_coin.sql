-- no transaction
-- A difference below the smallest coin, which is 10 at most, needs no reason (decision 101).
alter table cash_drawers drop constraint if exists cash_drawers_explained,
  add constraint cash_drawers_explained check (abs(coalesce(difference_minor, 0)) < 10 or reason is not null) not valid;
alter table cash_drawers validate constraint cash_drawers_explained;
alter table cash_counts drop constraint if exists cash_counts_explained,
  add constraint cash_counts_explained check (
  not accepted or abs(counted_minor - expected_minor) < 10 or reason is not null) not valid;
alter table cash_counts validate constraint cash_counts_explained;
alter table cash_hand_ins drop constraint if exists cash_hand_ins_explained,
  add constraint cash_hand_ins_explained check (
  abs(counted_minor - expected_minor) < 10 or reason is not null) not valid;
alter table cash_hand_ins validate constraint cash_hand_ins_explained;
