-- Answers of the gateway that somebody has to look at: a post that was not believed, an amount that differs from ours, a post that the gateway takes back when it is asked.
alter table gateway_messages
  add column trouble text constraint gateway_messages_trouble check (trouble in ('refused', 'wrong_amount', 'contradiction')),
  add column review text not null default 'open' constraint gateway_messages_review check (review in ('open', 'seen', 'handled')),
  add column review_note text,
  add column reviewed_by uuid references users (id),
  add column reviewed_at timestamptz,
  add column version integer not null default 1;
update gateway_messages set trouble = case when reason = 'wrong_amount' then 'wrong_amount' else 'refused' end
  where reason = 'wrong_amount' or (not accepted and source <> 'enquiry');
create index gateway_messages_troubles on gateway_messages (at desc, id desc) where trouble is not null;
