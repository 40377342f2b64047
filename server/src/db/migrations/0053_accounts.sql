-- The number by which a customer and staff name an account: on the phone, in mails, on paper.
create sequence account_number_serial start with 100001;
alter table accounts add column number text;
update accounts a
set number = 'A' || n.serial
from (select id, nextval('account_number_serial') as serial from accounts order by created_at, id) n
where n.id = a.id;
alter table accounts alter column number set default 'A' || nextval('account_number_serial');
alter table accounts alter column number set not null;
alter table accounts add constraint accounts_number unique (number);

-- What the list of accounts is searched by: number and names, and the names, addresses and phones of the present users,
-- in lower case. Kept beside the account, so that one trigram index answers the whole search.
alter table accounts add column search_text text not null default '';

create function account_search_text(account accounts) returns text language sql stable as $$
  select lower(concat_ws(' ', account.number, account.name, account.registration_number, (
    select string_agg(concat_ws(' ', u.name, coalesce(u.invited_email, u.email), u.phone), ' ' order by u.id)
    from users u
    where u.account_id = account.id and u.removed_at is null)))
$$;

create function account_search_text_of_account() returns trigger language plpgsql as $$
begin
  new.search_text := account_search_text(new);
  return new;
end $$;
create trigger account_search_text_insert before insert on accounts
  for each row execute function account_search_text_of_account();
create trigger account_search_text_update before update of number, name, registration_number on accounts
  for each row execute function account_search_text_of_account();

create function account_search_text_of_user() returns trigger language plpgsql as $$
begin
  update accounts a set search_text = account_search_text(a) where a.id = new.account_id;
  return null;
end $$;
create trigger users_search_text_insert after insert on users
  for each row when (new.account_id is not null) execute function account_search_text_of_user();
create trigger users_search_text_update after update of name, email, invited_email, phone, removed_at on users
  for each row when (new.account_id is not null
    and (old.name, old.email, old.invited_email, old.phone, old.removed_at)
      is distinct from (new.name, new.email, new.invited_email, new.phone, new.removed_at))
  execute function account_search_text_of_user();

update accounts a set search_text = account_search_text(a);

create index accounts_search on accounts using gin (search_text gin_trgm_ops);
-- Each tab of the list has an index in its order.
create index accounts_newest on accounts (created_at desc, id desc);
create index accounts_of_type on accounts (user_type, created_at desc, id desc);
create index accounts_not_active on accounts (status, created_at desc, id desc) where status <> 'active';

-- Who suspended, blocked or opened an account, and why. The reason is for staff alone.
create table account_status_changes (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  from_status text not null,
  to_status text not null,
  reason text not null,
  changed_by uuid not null,
  changed_at timestamptz not null
);
create index account_status_changes_newest on account_status_changes (account_id, changed_at desc, id desc);

-- What staff note about an account. Customers never see it.
create table account_notes (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  author_id uuid not null,
  text text not null,
  created_at timestamptz not null
);
create index account_notes_newest on account_notes (account_id, created_at desc, id desc);

-- Staff who look at an account as its owner sees it. The id is the session of the token.
create table account_views (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  staff_id uuid not null references users (id),
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index account_views_ended on account_views (ended_at) where ended_at is not null;

-- An owner hands a company to a member, who must accept. At most one offer is open.
create table ownership_offers (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  from_user_id uuid not null references users (id),
  to_user_id uuid not null references users (id),
  status text not null default 'pending' constraint ownership_offers_status
    check (status in ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  constraint ownership_offers_decided check ((status = 'pending') = (decided_at is null))
);
create unique index ownership_offers_pending on ownership_offers (account_id) where status = 'pending';
create index ownership_offers_account on ownership_offers (account_id, created_at desc);
