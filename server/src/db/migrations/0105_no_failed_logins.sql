-- Failed sign-ins are counted by the rate limits, for unknown emails as well.
alter table users
  drop column failed_logins,
  drop column locked_until;
