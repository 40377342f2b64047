-- `mailgun` was SMTP to Mailgun's server; now it is Mailgun's API, which needs a domain and a key. A deployment that has
-- used it goes on by SMTP as before.
insert into settings (key, value)
select 'mail.host', '"smtp.mailgun.org"'::jsonb
where exists (select from settings where key = 'mail.transport' and value = '"mailgun"'::jsonb)
on conflict (key) do update set value = excluded.value, version = settings.version + 1
where settings.value = 'null'::jsonb;

update settings set value = '"generic"'::jsonb, version = version + 1
where key = 'mail.transport' and value = '"mailgun"'::jsonb;
