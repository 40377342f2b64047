import { type RawBuilder, sql } from 'kysely'

/**
 * The amount of an order's refunds that staff still have to pay to the card. `orders`: the alias of a row with its
 * account, id and `refunded_minor`. Few orders have refunds, so those of the others are not read.
 */
export const selectPendingRefunds = (orders: string): RawBuilder<number> => {
  const column = (name: string) => sql.ref(`${orders}.${name}`)
  return sql`case when ${column('refunded_minor')} = 0 then 0 else (
    select coalesce(sum(amount_minor), 0)::bigint
    from refunds
    where account_id = ${column('account_id')} and order_id = ${column('id')}
      and destination = 'card' and status = 'requested'
  ) end`
}
