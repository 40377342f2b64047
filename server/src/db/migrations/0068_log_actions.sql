-- The log of an account, narrowed to one action, and the list of the actions that occur in it.
create index activity_log_account_action on activity_log (account_id, action, at desc, id desc)
  where account_id is not null;
