/** The figures of each kind of widget. */
import { type WidgetData, type WidgetKind, widgetRows } from '@waybill/contract/dashboard/widgets'
import type { Locale } from '@waybill/contract/ground/constants'
import type { Deps } from '../../deps.ts'
import type { CustomerCaller } from '../../http/caller.ts'
import { dayIn } from '../../lib/clock.ts'
import { findUserNames } from '../accounts/service.ts'
import { bannersNow } from '../content/service.ts'
import { onlyCreatedBy } from '../parcels/access.ts'
import { findFailedAttempts } from '../parcels/failed-delivery/failed-deliveries.ts'
import { getWalletBalance } from '../wallet/ledger/service.ts'
import { readWalletPreferences } from '../wallet/preferences.ts'
import {
  byStatusFrom,
  countOpen,
  destinationsFrom,
  monthStart,
  neededFigures,
  onTimeFrom,
  outstandingFrom,
  perDayFrom,
  spendByMonthFrom,
} from './figures.ts'
import { listFailed } from './queries.ts'
import { type Figure, type FigureScope, readFigures, readSpendByUser } from './queries-figures.ts'

/** The data that the widgets of one response share. `figures` are those that its kinds need, read once. */
export type WidgetContext = {
  deps: Deps
  caller: CustomerCaller
  locale: Locale
  scope: FigureScope
  today: string
  currency: string
  figures: readonly Figure[]
}

/** Reads the shared data of these kinds. */
export async function startReading(
  deps: Deps,
  caller: CustomerCaller,
  locale: Locale,
  kinds: readonly WidgetKind[],
): Promise<WidgetContext> {
  const scope = { accountId: caller.accountId, createdBy: onlyCreatedBy(caller) }
  const today = dayIn(deps.clock.now(), deps.settings.get('timezone'))
  const figures = await readFigures(deps.db, scope, neededFigures(kinds, today))
  return { deps, caller, locale, scope, today, currency: deps.settings.get('currency'), figures }
}

const loaders: { [K in WidgetKind]: (reading: WidgetContext) => WidgetData[K] | Promise<WidgetData[K]> } = {
  parcels_per_day: ({ figures, today }) => perDayFrom(figures, today),
  parcels_by_status: ({ figures, today }) => byStatusFrom(figures, today),
  on_time: ({ figures, today }) => onTimeFrom(figures, today),
  top_destinations: ({ figures, today }) => destinationsFrom(figures, today),
  outstanding: ({ figures, currency }) => ({ ...outstandingFrom(figures), currency }),
  spend_by_month: ({ figures, today, currency }) => ({ months: spendByMonthFrom(figures, today), currency }),
  failed_deliveries: readFailures,
  wallet: readWallet,
  spend_by_user: readUsers,
  banner: async ({ deps, locale }) => ({
    banners: (await bannersNow(deps, locale)).items,
  }),
}

/** The figures of one kind. */
export async function readWidgetData<K extends WidgetKind>(reading: WidgetContext, kind: K): Promise<WidgetData[K]> {
  return loaders[kind](reading)
}

async function readFailures({ deps, scope, figures }: WidgetContext): Promise<WidgetData['failed_deliveries']> {
  const rows = await listFailed(deps.db, scope, widgetRows.failures)
  const ids = rows.map(({ id }) => id)
  const attempts = await findFailedAttempts(deps, deps.db, ids)
  return {
    total: Math.max(rows.length, countOpen(figures, 'fail-to-deliver')),
    parcels: rows.map(({ id, tracking_number: trackingNumber, receiver }) => {
      const attempt = attempts.get(id)
      return {
        parcelId: id,
        trackingNumber,
        receiverName: receiver?.contactName ?? null,
        receiverCity: receiver?.city ?? null,
        failedAt: attempt?.at ?? null,
        decideBy: attempt?.decideUntil ?? null,
      }
    }),
  }
}

async function readWallet({ deps, caller, currency }: WidgetContext): Promise<WidgetData['wallet']> {
  const [balanceMinor, { lowBalanceMinor }] = await Promise.all([
    getWalletBalance(deps.db, caller.accountId, currency),
    readWalletPreferences(deps, caller.accountId),
  ])
  return { balanceMinor, lowBalanceMinor, currency }
}

async function readUsers({ deps, scope, today, currency }: WidgetContext): Promise<WidgetData['spend_by_user']> {
  const month = monthStart(today)
  const rows = await readSpendByUser(deps.db, scope, month, monthStart(today, 1))
  const listed = rows.slice(0, widgetRows.users)
  const others = rows.slice(widgetRows.users)
  const ids = listed.map(({ user_id }) => user_id)
  const names = await findUserNames(deps.db, ids)
  return {
    month: month.slice(0, 7),
    users: listed.map((row) => ({
      userId: row.user_id,
      name: names.get(row.user_id) ?? '',
      thisMonthMinor: row.this_month,
      lastMonthMinor: row.last_month,
    })),
    others: {
      users: others.length,
      thisMonthMinor: others.reduce((sum, row) => sum + row.this_month, 0),
      lastMonthMinor: others.reduce((sum, row) => sum + row.last_month, 0),
    },
    currency,
  }
}
