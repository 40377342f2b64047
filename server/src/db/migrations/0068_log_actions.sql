-- no transaction
-- replaces c38e22f71f842c8e5065590393da2970a3ba162c0c4187f5fdd46a5c1457f761
-- The log of an account, narrowed to one action, and the list of the actions that occur in it.
drop index concurrently if exists activity_log_account_action;
create index concurrently activity_log_account_action on activity_log (account_id, action, at desc, id desc)
  where account_id is not null;
