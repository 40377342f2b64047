/** Which widgets a user may have on the home page, and how an arrangement changes. Pure. */

import { type WidgetKind, type WidgetSize, widgetKindLabels } from '@waybill/contract/dashboard/widgets'
import { type AccessRule, decide } from '@waybill/contract/ground/access'
import { labelValues } from '@waybill/contract/ground/enums/labels'
import type { CustomerCaller } from '../../http/caller.ts'

/** A widget as stored; its place is its position in the list. */
export type WidgetPlacement = { id: string; kind: WidgetKind; size: WidgetSize }

/** The rights of which a widget needs any one; absent: available to everybody. All widgets with amounts need one. */
const neededRights: Partial<Record<WidgetKind, readonly AccessRule[]>> = {
  wallet: ['wallet.view'],
  outstanding: ['pay.owed', 'corporate.pay', 'wallet.view'],
  spend_by_month: ['reports'],
  spend_by_user: ['reports'],
}

/** Whether a caller may have a widget. Spend by user is only for companies: an individual has one user. */
export function mayHave(caller: CustomerCaller, kind: WidgetKind): boolean {
  if (kind === 'spend_by_user' && caller.userType !== 'corporate') return false
  const rights = neededRights[kind]
  return !rights || rights.some((rule) => decide(rule, caller) === 'pass')
}

/** The kinds that a caller may have. */
export const permittedKinds = (caller: CustomerCaller) =>
  labelValues(widgetKindLabels).filter((kind) => mayHave(caller, kind))

export const defaultSizes: Record<WidgetKind, WidgetSize> = {
  parcels_per_day: 'medium',
  parcels_by_status: 'small',
  failed_deliveries: 'medium',
  on_time: 'small',
  top_destinations: 'small',
  wallet: 'small',
  outstanding: 'small',
  spend_by_month: 'medium',
  spend_by_user: 'small',
  banner: 'large',
}

/** The default arrangement. Its rows of three columns are full for users who see all kinds. */
export const defaultKinds = ({ userType }: CustomerCaller): readonly WidgetKind[] => [
  'parcels_per_day',
  'parcels_by_status',
  'wallet',
  'on_time',
  'top_destinations',
  'spend_by_month',
  userType === 'corporate' ? 'spend_by_user' : 'outstanding',
  'banner',
]

/**
 * Moves a widget to place `order` (1 is the first) among those that the user sees. Widgets that the user currently may
 * not see stay behind them, so that a restored right restores its widget.
 */
export function placeWidget(
  visible: readonly WidgetPlacement[],
  hidden: readonly WidgetPlacement[],
  widget: WidgetPlacement,
  order: number,
) {
  const others = visible.filter(({ id }) => id !== widget.id)
  const at = Math.min(order - 1, others.length)
  return [...others.slice(0, at), widget, ...others.slice(at), ...hidden]
}
