/** The report of orders. */
import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import {
  maxReportDays,
  type OrderSums,
  type printOrderReport,
  type ReportedOrder,
  type reportOrders,
} from '@waybill/contract/reports/orders'
import type { Deps } from '../../../deps.ts'
import type { AccountId, CustomerCaller } from '../../../http/caller.ts'
import { AppError, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { accountUsers } from '../../accounts/service.ts'
import { readOrderPage, readOrderSums } from '../../orders/export/report.ts'
import { type OrderNarrowing, orderFilter, waitsForApproval } from '../../orders/rules.ts'
import { onlyCreatedBy } from '../../parcels/access.ts'
import { chooseStep, listSteps, parsePeriod, type ReportPeriod, whyNotReported } from './rules.ts'

type Filters = QueryOf<typeof printOrderReport>
export type ReportUser = { name: string; costCentre: string | null }

/** The reader of a report. `onlyCreatedBy`: the user whose orders they may see; null: all of the account. */
export type ReportReader = { accountId: AccountId; onlyCreatedBy: string | null }

export const reportReader = (caller: CustomerCaller): ReportReader => ({
  accountId: caller.accountId,
  onlyCreatedBy: onlyCreatedBy(caller),
})

/** The scope of a report. `users` are those whose orders the caller may see, by id. */
export type ReportScope = { period: ReportPeriod; filter: OrderNarrowing; users: ReadonlyMap<string, ReportUser> }

/** The period of a request. Throws validation for one that ends before it begins or is too long. */
export function requirePeriod(
  { settings, clock }: Deps,
  query: { from?: string | undefined; to?: string | undefined },
): ReportPeriod {
  const period = parsePeriod(query, dayIn(clock.now(), settings.get('timezone')))
  const rule = whyNotReported(period)
  if (rule === 'endBeforeStart') throw validationError({ field: 'to', rule: 'endBeforeStart' })
  // At one field: the same sentence below both would read as two problems.
  if (rule) throw validationError({ field: 'from', rule, vars: { days: maxReportDays } })
  return period
}

/**
 * The period and the orders of a report. Throws validation for a period that ends before it begins or is too long, and
 * not_found for a user whose orders the caller may not see, including users of other accounts, so that nothing is
 * revealed.
 */
export async function reportScope(
  deps: Deps,
  { accountId, onlyCreatedBy: own }: ReportReader,
  query: Filters,
): Promise<ReportScope> {
  const { db, settings } = deps
  const timeZone = settings.get('timezone')
  const period = requirePeriod(deps, query)
  const users = new Map(
    (await accountUsers(db, accountId))
      .filter(({ id }) => own === null || id === own)
      .map(({ id, name, cost_centre }) => [id, { name, costCentre: cost_centre }]),
  )
  if (query.createdBy !== undefined && !users.has(query.createdBy)) throw new AppError('not_found')
  return { period, filter: orderFilter({ ...query, ...period }, own ?? query.createdBy ?? null, timeZone), users }
}

const none: OrderSums = { orders: 0, parcels: 0, totalMinor: 0, paidMinor: 0, refundedMinor: 0, spentMinor: 0 }

/** Adds sums field by field. */
export function addSums(all: Iterable<OrderSums>): OrderSums {
  const result = { ...none }
  for (const sums of all) for (const key of Object.keys(none) as (keyof OrderSums)[]) result[key] += sums[key]
  return result
}

/** The number of orders in a report. */
export async function countReportedOrders(
  { db, settings }: Deps,
  accountId: AccountId,
  { filter }: ReportScope,
): Promise<number> {
  const rows = await readOrderSums(db, accountId, filter, 'month', settings.get('timezone'))
  return rows.reduce((sum, { start, orders }) => sum + (start === null ? 0 : orders), 0)
}

/**
 * A page of the matching orders, newest first, with totals and figures of all of them. Throws the errors of
 * `reportScope`.
 */
export async function readOrderReport(
  deps: Deps,
  caller: CustomerCaller,
  query: QueryOf<typeof reportOrders>,
): Promise<ResponseOf<typeof reportOrders>> {
  const { db, settings } = deps
  const { after, before, offset, limit, ...filters } = query
  const { period, filter, users } = await reportScope(deps, reportReader(caller), filters)
  const step = chooseStep(period)
  const [page, sumRows] = await Promise.all([
    readOrderPage(db, caller.accountId, filter, { after, before, offset, limit }),
    readOrderSums(db, caller.accountId, filter, step, settings.get('timezone')),
  ])
  const byStart = new Map<string, OrderSums>()
  const byUser: ResponseOf<typeof reportOrders>['users'] = []
  for (const row of sumRows) {
    const sums: OrderSums = {
      orders: row.orders,
      parcels: row.parcels,
      totalMinor: row.total_minor,
      paidMinor: row.paid_minor,
      refundedMinor: row.refunded_minor,
      spentMinor: row.paid_minor - row.refunded_minor,
    }
    if (row.start !== null) byStart.set(row.start, sums)
    if (row.user_id === null) continue
    const user = users.get(row.user_id)
    byUser.push({ id: row.user_id, name: user?.name ?? null, costCentre: user?.costCentre ?? null, ...sums })
  }
  const totals = addSums(byStart.values())
  return {
    items: page.rows.map(
      (row): ReportedOrder => ({
        id: row.id,
        number: row.number,
        createdAt: row.created_at.toISOString(),
        createdByName: users.get(row.created_by)?.name ?? null,
        status: row.status,
        waitsForApproval: waitsForApproval(row),
        paymentMethod: row.payment_method,
        parcelCount: row.parcel_count,
        totalMinor: row.total_minor,
        paidMinor: row.paid_minor,
        refundedMinor: row.refunded_minor,
      }),
    ),
    total: totals.orders,
    limit,
    next: page.next,
    previous: page.previous,
    ...period,
    currency: settings.get('currency'),
    totals,
    step,
    figures: listSteps(period, step).map((start) => ({ start, ...(byStart.get(start) ?? none) })),
    users: byUser.sort((a, b) => b.spentMinor - a.spentMinor || a.id.localeCompare(b.id)),
    creators: [...users].map(([id, { name }]) => ({ id, name })),
  }
}
