-- A write of several domains is one statement without a transaction around it (db/steps.ts): what must hold of the rows written is asked in the statement itself,
-- so that it is undone as a whole where it does not hold. `step` says which one; the program knows what that means to the caller.
create function expect_rows(step text, written bigint, expected bigint) returns boolean
  language plpgsql volatile as $$
begin
  if written <> expected then
    raise exception 'step % wrote % rows instead of %', step, written, expected using errcode = 'WB001', column = step;
  end if;
  return true;
end $$;
