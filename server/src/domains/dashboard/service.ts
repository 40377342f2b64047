/** The home page of a customer: to-do list and widgets. */
import {
  type FirstSteps,
  type getDashboard,
  type Todo,
  todoLimit,
  waitingLimit,
} from '@waybill/contract/dashboard/dashboard'
import type { Widget } from '@waybill/contract/dashboard/widgets'
import { decide } from '@waybill/contract/ground/access'
import type { Locale } from '@waybill/contract/ground/constants'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import {
  checkoutStatuses,
  deliveredStatuses,
  handoverStatuses,
  movingStatuses,
} from '@waybill/contract/ground/status/parcel-status'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import { later, minutes } from '../../lib/clock.ts'
import { hasPrintedNote } from '../accounts/service.ts'
import { defaultAddress } from '../addresses/service.ts'
import { countApprovalsToDecide } from '../orders/approvals/reads.ts'
import { countOverdueStatements } from '../orders/monthly-billing/service.ts'
import { hasAcceptedOrder } from '../orders/service.ts'
import { summarizeUnpaid } from '../orders/unfinished/unfinished-checkouts.ts'
import { countUndecided } from '../parcels/failed-delivery/failed-deliveries.ts'
import { silentBefore } from '../parcels/list/reads.ts'
import { countWithoutRider } from '../parcels/pickup-side/visits.ts'
import { getWalletBalance } from '../wallet/ledger/service.ts'
import { readOwnWidgets } from './arrangement.ts'
import { countOpen } from './figures.ts'
import { countSilent, readParcelSteps } from './queries.ts'
import { permittedKinds, type WidgetPlacement } from './rules.ts'
import { readWidgetData, startReading, type WidgetContext } from './widget-data.ts'

/** Statuses of parcels that the courier has received. */
const shippedStatuses: readonly ParcelStatus[] = [...movingStatuses, 'reverse_pickup', ...deliveredStatuses]

/**
 * The to-do list, the first steps of a new account, and the caller's widgets with their figures. Data that the caller
 * may not see is not read.
 */
export async function readDashboard(
  deps: Deps,
  caller: CustomerCaller,
  locale: Locale,
): Promise<ResponseOf<typeof getDashboard>> {
  const { version, visible } = await readOwnWidgets(deps.db, caller)
  const kinds = visible.map(({ kind }) => kind)
  const reading = await startReading(deps, caller, locale, kinds)
  const [firstSteps, todo, widgets] = await Promise.all([
    findFirstSteps(reading),
    readTodo(reading),
    Promise.all(visible.map((placed, index) => presentWidget(reading, placed, { order: index + 1, version }))),
  ])
  return {
    firstSteps,
    todo,
    silenceHours: deps.settings.get('tracking.silenceHours'),
    widgets,
    available: permittedKinds(caller).filter((kind) => !kinds.includes(kind)),
  }
}

/** One widget of the caller. Throws not_found, also for one whose figures the caller may not see. */
export async function readWidget(deps: Deps, caller: CustomerCaller, locale: Locale, id: string): Promise<Widget> {
  const { version, visible } = await readOwnWidgets(deps.db, caller)
  const index = visible.findIndex((each) => each.id === id)
  const placed = visible[index]
  if (!placed) throw new AppError('not_found')
  const reading = await startReading(deps, caller, locale, [placed.kind])
  return presentWidget(reading, placed, { order: index + 1, version })
}

async function presentWidget(
  reading: WidgetContext,
  { id, kind, size }: WidgetPlacement,
  place: { order: number; version: number },
): Promise<Widget> {
  // `data` is that of `kind`; the compiler does not follow a union through a lookup.
  return { id, kind, size, ...place, data: await readWidgetData(reading, kind) } as Widget
}

/** The steps of a new account; null for all others. Most accounts have shipped, which one index look-up shows. */
async function findFirstSteps({ deps, caller, currency }: WidgetContext): Promise<FirstSteps | null> {
  const { accountId } = caller
  const { shipped, complete } = await readParcelSteps(deps.db, accountId, shippedStatuses)
  if (shipped) return null
  const [sender, isPaid, balanceMinor, note] = await Promise.all([
    defaultAddress(deps.db, accountId),
    hasAcceptedOrder(deps.db, accountId),
    getWalletBalance(deps.db, accountId, currency),
    hasPrintedNote(deps.db, accountId),
  ])
  const steps = { address: sender !== null, funds: isPaid || balanceMinor > 0, parcel: complete, note }
  return Object.values(steps).every(Boolean) ? null : steps
}

/** A checkout that expires within this time comes first in the to-do list. */
const soon = minutes(15)

async function readTodo({ deps, caller, scope, figures }: WidgetContext): Promise<Todo> {
  const now = deps.clock.now()
  // A checkout is of the user who made it, whoever created its parcels. All of them wait in one of these statuses.
  const mayHaveUnpaid = countOpen(figures, ...checkoutStatuses) > 0
  const mayWaitForRider = countOpen(figures, 'pending_pickup', 'reverse_pickup') > 0
  const mayHaveFailed = countOpen(figures, 'fail-to-deliver') > 0
  const [stuck, failedDeliveries, withoutRider, approvals, unpaid, overdueStatements] = await Promise.all([
    countSilent(deps.db, scope, movingStatuses, silentBefore(deps), todoLimit),
    mayHaveFailed ? countUndecided(deps.db, scope, todoLimit) : 0,
    mayWaitForRider ? countWithoutRider(deps.db, scope, waitingLimit) : { withoutPickup: 0, failedPickups: 0 },
    countApprovalsToDecide(deps.db, caller),
    mayHaveUnpaid ? summarizeUnpaid(deps.db, caller) : null,
    decide('reports', caller) === 'pass' ? countOverdueStatements(deps, caller) : 0,
  ])
  const unpaidUntil = unpaid?.firstExpiry ?? null
  return {
    drafts: countOpen(figures, 'pending'),
    inCart: countOpen(figures, 'incart'),
    unpaid: unpaid?.orders ?? 0,
    unpaidUntil: unpaidUntil?.toISOString() ?? null,
    unpaidEndsSoon: unpaidUntil !== null && unpaidUntil <= later(now, soon),
    outstanding: countOpen(figures, 'outstanding'),
    toHandOver: countOpen(figures, ...handoverStatuses),
    ...withoutRider,
    failedDeliveries,
    stuck,
    approvals,
    overdueStatements,
  }
}
