-- What grows with an account's parcels and orders: searches by words, orders by total, status and way of payment, and what is outstanding.

-- The words of a parcel as they are looked for, by their beginnings. Words with digits stand there from behind too, for who knows the last digits; phones without their first digits,
-- for who leaves the country out; words of other writings from each of their letters, for nothing divides them. Each begins with the end of the account's id: what is read
-- for a search are the account's own words and no others'.
create function parcel_terms(account uuid, words text) returns tsvector language plpgsql immutable parallel safe cost 1000 as $$
declare
  key text := right(account::text, 6);
  word text;
  rest text;
  terms text[] := '{}';
begin
  foreach word in array string_to_array(translate(words, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)), ' ') loop
    continue when word = '';
    word := left(word, 40);
    terms := terms || (key || word);
    rest := translate(word, '0123456789', '');
    if rest <> word then
      terms := terms || (key || '<' || reverse(word));
      if rest = '' and length(word) >= 8 then
        terms := terms || array[key || substr(word, 2), key || substr(word, 3), key || substr(word, 4)];
      end if;
    end if;
    if octet_length(word) > length(word) then
      for n in 2 .. length(word) loop
        terms := terms || (key || substr(word, n));
      end loop;
    end if;
  end loop;
  return array_to_tsvector(terms);
end $$;
create index parcel_search_terms on parcel_search using gin (parcel_terms(account_id, words));
-- Trigrams were those of all accounts together: a search cost what everybody has.
drop index parcel_search_words;

-- The list of orders: by total, and by status and way of payment, each alone too (the few values of the other are merged).
create index orders_total on orders (account_id, total_minor, created_at, id);
create index orders_status_method on orders (account_id, status, payment_method, created_at desc, id desc);

-- What is owed, longest first, with its sum; only parcels that are outstanding are in it.
create index parcels_outstanding on parcels (account_id, updated_at, id) include (amount_due_minor, created_by) where status = 'outstanding';
