import { sql } from 'kysely'
import type { Db } from '../../src/db/pool.ts'

let count = 0

/**
 * Makes every insert, update and delete of the rows with this value fail, like a row that this release cannot process.
 * Returns a function that mends it.
 */
export async function breakRow(db: Db, table: string, column: string, value: string): Promise<() => Promise<void>> {
  count += 1
  const name = sql.id(`broken_row_${count}`)
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
      begin
        if to_jsonb(coalesce(new, old)) ->> ${sql.lit(column)} = ${sql.lit(value)} then
          raise exception 'this row is broken';
        end if;
        return coalesce(new, old);
      end
    $$`.execute(db)
  await sql`
    create trigger ${name} before insert or update or delete on ${sql.table(table)}
    for each row execute function ${name}()`.execute(db)
  return async () => {
    await sql`drop trigger ${name} on ${sql.table(table)}`.execute(db)
    await sql`drop function ${name}()`.execute(db)
  }
}
