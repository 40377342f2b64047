-- The log of the whole deployment, narrowed to an action or to what went wrong.
create index activity_log_action on activity_log (action, at desc, id desc);
create index activity_log_trouble on activity_log (at desc, id desc)
  where level in ('WARNING', 'ERROR', 'CRITICAL', 'ALERT', 'EMERGENCY');
