-- no transaction
-- replaces d456fd38773cfe7995dbd4066ebeae277fe1873f4683c90752c571cd8d94f30c
-- The log of the whole deployment, narrowed to an action or to what went wrong.
drop index concurrently if exists activity_log_action;
create index concurrently activity_log_action on activity_log (action, at desc, id desc);
drop index concurrently if exists activity_log_trouble;
create index concurrently activity_log_trouble on activity_log (at desc, id desc)
  where level in ('WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY');
