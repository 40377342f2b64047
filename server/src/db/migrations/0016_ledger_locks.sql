-- Every payment posts to revenue and to tax. A foreign key would lock those two rows for each of them, and payments at once would queue up to note who holds the
-- lock. The posting's own trigger sees to it that the account exists, and accounts are never deleted.
alter table journal_postings drop constraint journal_postings_ledger_account_id_fkey;

create or replace function ledger_apply_posting() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance_minor = balance_minor + new.amount_minor
    where id = new.ledger_account_id and guarded
    returning balance_minor into new.balance_after_minor;
  if not found then
    perform 1 from ledger_accounts where id = new.ledger_account_id;
    if not found then
      raise exception 'there is no ledger account %', new.ledger_account_id
        using errcode = 'foreign_key_violation', constraint = 'journal_postings_ledger_account';
    end if;
  end if;
  return new;
end $$;

create trigger ledger_accounts_stay before delete on ledger_accounts for each row execute function ledger_append_only();
create trigger ledger_accounts_stay_truncate before truncate on ledger_accounts for each statement execute function ledger_append_only();
