/** Queries of the list of orders. */

import { type PaymentMethod, paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { type OrderStatus, orderStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { countLimit, type SortTerm } from '@waybill/contract/ground/paging'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../db/conditions/like.ts'
import { withinDays } from '../../db/conditions/local-days.ts'
import type { DbOrTx } from '../../db/pool.ts'
import type { AccountId } from '../../http/caller.ts'
import type { ListedOrder, OrderRow } from './queries.ts'
import { selectPendingRefunds } from './refunds/queries-pending.ts'
import type { OrderNarrowing } from './rules.ts'

/** A new order, which has neither an invoice nor refunds. */
export const listNewOrder = (order: OrderRow): ListedOrder => ({
  ...order,
  invoice_number: null,
  refund_pending_minor: 0,
})

export type OrderFilter = OrderNarrowing & {
  sort: SortTerm[]
  offset: number
  limit: number
}

/** Numbers are assigned in the order of creation, so both sort by the same index. */
const sortColumns: Record<string, string> = { createdAt: 'created_at', number: 'created_at', totalMinor: 'total_minor' }

/** The prefix is a literal, so that the planner knows whether it matches one number or those of a whole year. */
const startsWith = (column: string, prefix: string | null) =>
  prefix === null
    ? sql`false`
    : sql`${sql.ref(column)} >= ${sql.lit(prefix)} and ${sql.ref(column)} < ${sql.lit(`${prefix}~`)}`

/** A payment method, or none yet. */
type Method = PaymentMethod | 'none'

/**
 * The condition of a filter on the columns of `orders`. It contains only the given filters, with status and method as
 * literals: PostgreSQL keeps one plan for all accounts, and needs them to use the index that also has the sort order.
 */
function condition(
  accountId: AccountId,
  {
    status,
    payable,
    paymentMethod,
    days,
    numbers,
    createdBy,
    serviceType,
  }: Omit<OrderNarrowing, 'paymentMethod'> & { paymentMethod: Method | null },
): RawBuilder<unknown> {
  const all = [sql`account_id = ${accountId}::uuid`]
  if (status) all.push(sql`status = ${sql.lit(status)}`)
  if (payable) all.push(sql`status = 'pending_payment' and approval_id is null`)
  if (paymentMethod === 'none') all.push(sql`payment_method is null`)
  else if (paymentMethod) all.push(sql`payment_method = ${sql.lit(paymentMethod)}`)
  // The code of a freight line is carrier.service.mode.
  if (serviceType)
    all.push(sql`exists (select from jsonb_array_elements(lines) line
      where line #>> '{basis,serviceCode}' like ${sql.lit(containing(`.${serviceType}.`))})`)
  if (createdBy) all.push(sql`created_by = ${createdBy}::uuid`)
  if (days) all.push(...withinDays(sql`created_at`, days))
  if (numbers)
    all.push(sql`id in (select id from orders where ${startsWith('number', numbers.order)}
        union all select order_id from invoices where ${startsWith('number', numbers.invoice)})`)
  return sql.join(all, sql` and `)
}

/** The condition of a filter, for queries that sort in another way than the list. */
export const matchesOrderFilter = (accountId: AccountId, narrowing: OrderNarrowing): RawBuilder<unknown> =>
  condition(accountId, narrowing)

const statuses: readonly OrderStatus[] = labelValues(orderStatusLabels)
const methods: readonly Method[] = [...labelValues(paymentMethodLabels), 'none']

type Branch = { matches: RawBuilder<unknown>; withoutMethod: boolean }

/**
 * Splits a filter by only one of status and method into filters by both: the index has the sort order only within each
 * pair.
 */
function branches(accountId: AccountId, filter: OrderNarrowing): Branch[] {
  const { status, paymentMethod, numbers } = filter
  const branch = (narrowing: Parameters<typeof condition>[1]): Branch => ({
    matches: condition(accountId, narrowing),
    withoutMethod: narrowing.paymentMethod === 'none',
  })
  if (numbers || (status === null) === (paymentMethod === null)) return [branch(filter)]
  return status === null
    ? statuses.map((each) => branch({ ...filter, status: each }))
    : methods.map((each) => branch({ ...filter, paymentMethod: each }))
}

/** The requested sort order, newest first by default. The id makes it total, in the direction that an index has. */
function buildKeys(sort: readonly SortTerm[]): { column: string; descending: boolean }[] {
  const sortTerms = sort.map(({ field, descending }) => ({ column: sortColumns[field] ?? 'created_at', descending }))
  const descending = sortTerms.at(-1)?.descending ?? true
  return [...sortTerms, { column: 'created_at', descending }, { column: 'id', descending }].filter(
    ({ column }, n, all) => all.findIndex((other) => other.column === column) === n,
  )
}

/**
 * A page of the account's orders and their number, newest first by default. Whole rows are read only for the page, so
 * that a deep page costs index entries instead of rows.
 */
export async function listOrderRows(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderFilter,
): Promise<{ rows: ListedOrder[]; total: number }> {
  const { limit, offset } = filter
  const keys = buildKeys(filter.sort)
  const byTotal = keys[0]?.column === 'total_minor'
  const order = (table?: string) =>
    sql.join(
      keys.map(
        ({ column, descending }) =>
          sql`${sql.ref(table ? `${table}.${column}` : column)} ${sql.raw(descending ? 'desc' : 'asc')}`,
      ),
    )
  const columns = sql.join(keys.map(({ column }) => sql.ref(column)))
  // No index has pairs in the order of totals, so the whole condition is one branch.
  const each = byTotal ? [{ matches: condition(accountId, filter), withoutMethod: false }] : branches(accountId, filter)
  // PostgreSQL does not see that an index is in order where its column before is null, unless it is sorted by that too.
  const beforeKeys = sql`payment_method ${sql.raw(keys[0]?.descending ? 'asc' : 'desc')}, `
  const firstOfEach = each.map(
    ({ matches, withoutMethod }) => sql`(
      select ${columns}
      from orders
      where ${matches}
      order by ${withoutMethod ? beforeKeys : sql``}${order()}
      limit ${limit + offset}::bigint
    )`,
  )
  const anyOfEach = branches(accountId, filter).map(({ matches }) => sql`select 1 from orders where ${matches}`)
  const [{ rows }, totals] = await Promise.all([
    sql<ListedOrder>`
      with page as (
        select *
        from (${sql.join(firstOfEach, sql` union all `)}) as first_of_each
        order by ${order()}
        limit ${limit}::bigint offset ${offset}::bigint
      )
      select o.*, i.number as invoice_number, ${selectPendingRefunds('o')} as refund_pending_minor
      from page
      cross join lateral (select * from orders where account_id = ${accountId}::uuid and id = page.id offset 0) o
      left join lateral (select number from invoices where order_id = o.id offset 0) i on true
      order by ${order('o')}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total
      from (${sql.join(anyOfEach, sql` union all `)} limit ${countLimit}::bigint) as counted`.execute(db),
  ])
  const total = totals.rows[0]?.total ?? 0
  return { rows, total: rows.length > 0 ? Math.max(total, offset + rows.length) : total }
}

/**
 * The number of orders of each status that the other filters select, without the statuses that have none. Null if
 * these are more than `countLimit`: counting each status on its own would read every order of a large account.
 */
export async function countOrdersByStatus(
  db: DbOrTx,
  accountId: AccountId,
  filter: OrderNarrowing,
): Promise<Partial<Record<OrderStatus, number>> | null> {
  const each = branches(accountId, { ...filter, status: null })
  const selects = each.map(({ matches }) => sql`select status from orders where ${matches}`)
  const { rows } = await sql<{ status: OrderStatus; count: number }>`
    select status, count(*) as count
    from (${sql.join(selects, sql` union all `)} limit ${countLimit + 1}::bigint) as matching
    group by status`.execute(db)
  if (rows.reduce((sum, { count }) => sum + count, 0) > countLimit) return null
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}
