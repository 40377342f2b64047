-- no transaction
-- Erased names are marks, which are translated for each reader. Until now they were English words.
update accounts set name = '⟦customer⟧' where closed_at is not null and name = 'Former customer';
update users set name = '⟦user⟧' where name = 'Former user' and email like '%@deleted.invalid';
update api_keys k set name = '⟦text⟧' from accounts a
  where a.id = k.account_id and a.closed_at is not null and k.name = 'Deleted';
update rate_cards c set name = '⟦text⟧' from accounts a
  where a.id = c.account_id and a.closed_at is not null and c.name = 'Deleted';
update corporate_receipts r set cancel_reason = '⟦text⟧' from accounts a
  where a.id = r.account_id and a.closed_at is not null and r.cancel_reason = 'Deleted';
update account_status_changes c set reason = '⟦text⟧' from accounts a
  where a.id = c.account_id and a.closed_at is not null and c.reason = 'Deleted';

-- Rows of parcels and pickups. Every batch is committed, so that row locks are short.
do $$
declare
  closed uuid;
  mark constant jsonb := '{"contactName": "⟦text⟧", "line1": "⟦text⟧"}';
begin
  for closed in select id from accounts where closed_at is not null loop
    loop
      update parcels set sender = sender || mark, receiver = receiver || mark
        where account_id = closed and id = any(array(
          select id from parcels where account_id = closed and sender ->> 'contactName' = 'Deleted' limit 1000));
      exit when not found;
      commit;
    end loop;
    loop
      update parcel_proofs set recipient_name = '⟦text⟧'
        where account_id = closed and parcel_id = any(array(
          select parcel_id from parcel_proofs where account_id = closed and recipient_name = 'Deleted' limit 1000));
      exit when not found;
      commit;
    end loop;
    loop
      update pickup_requests set address = address || mark
        where account_id = closed and id = any(array(
          select id from pickup_requests
          where account_id = closed and address ->> 'contactName' = 'Deleted' limit 1000));
      exit when not found;
      commit;
    end loop;
    loop
      update orders set pickup = jsonb_set(pickup, '{address}', pickup -> 'address' || mark)
        where account_id = closed and id = any(array(
          select id from orders
          where account_id = closed and pickup #>> '{address,contactName}' = 'Deleted' limit 1000));
      exit when not found;
      commit;
    end loop;
  end loop;
end $$;
