// What a caller may see and do with parcels.
import type { AccessRule } from '@waybill/contract/ground/access'
import { decide } from '@waybill/contract/ground/access'
import { hasNote, isDraft } from '@waybill/contract/ground/status/parcel-status'
import type { ParcelAction } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../deps.ts'
import type { AnyCaller, CustomerCaller, UserCaller } from '../../http/caller.ts'
import { type ActionFacts, whyNotCancelled, whyNotRecalled, whyNotReturned } from './allowed-actions.ts'
import { isWithOtherCarrier } from './carrier-handover/with-other-carrier.ts'
import type { ParcelRow } from './queries.ts'
import { missingFields } from './rules.ts'
import { getParcelState, nextParcelState, type ParcelEvent } from './status.ts'

/** The user whose parcels the caller may see; null: all of the account. Members need parcels.view_all for that. */
export function onlyCreatedBy(caller: CustomerCaller): string | null {
  return caller.isOwner || caller.permissions.includes('parcels.view_all') ? null : caller.userId
}

/** Whether a caller may see a parcel, an order or a ticket: staff see all, customers those that they may see. */
export function maySeeRecord(row: { account_id: string; created_by: string }, caller: UserCaller): boolean {
  if (caller.kind === 'staff') return true
  const createdBy = onlyCreatedBy(caller)
  return row.account_id === caller.accountId && (createdBy === null || row.created_by === createdBy)
}

/** Whether a row has a consignment note. */
export const rowHasNote = (row: ParcelRow): boolean =>
  hasNote({ trackingNumber: row.tracking_number, status: row.status })

/** Whether a parcel has a customs document. */
export function hasCustomsDocument(row: ParcelRow): boolean {
  return row.scope === 'international' && row.customs !== null && rowHasNote(row)
}

/** The fields of a row that `allowed-actions.ts` needs. */
export const actionFacts = (row: ParcelRow): ActionFacts => ({
  ...getParcelState(row),
  since: row.last_event_at,
  scope: row.scope,
  withOtherCarrier: isWithOtherCarrier(row),
})

/** The actions that a customer may take now, by the transition table and the access table. Screens offer only these. */
export function allowedActions({ clock, settings }: Deps, row: ParcelRow, caller: AnyCaller): ParcelAction[] {
  if (caller.kind !== 'customer') return []
  const may = (rule: AccessRule) => decide(rule, caller) === 'pass'
  const hasTransition = (event: ParcelEvent) => nextParcelState(getParcelState(row), event) !== null
  const parcel = actionFacts(row)
  const window = { now: clock.now(), days: settings.get('returns.windowDays') }
  const mayChoose = hasTransition('diverted') && row.choice_made !== true && !parcel.withOtherCarrier
  const actions: [ParcelAction, boolean][] = [
    ['edit', isDraft(row.status) && may('parcels.create')],
    ['add_to_cart', hasTransition('added_to_cart') && missingFields(row).length === 0 && may('parcels.create')],
    ['take_out_of_cart', hasTransition('taken_out') && may('parcels.create')],
    ['remove', isDraft(row.status) && may('parcels.create')],
    ['checkout', hasTransition('checkout_gateway') && may('pay')],
    ['pay_outstanding', row.status === 'outstanding' && may('pay.owed')],
    ['contest_weight', row.contest_until !== null && may('parcels.settle')],
    ['choose_delivery', mayChoose && may('parcels.settle')],
    ['cancel', whyNotCancelled(parcel) === null && may('parcels.settle')],
    ['recall', whyNotRecalled(parcel) === null && may('pay')],
    ['return', whyNotReturned(parcel, window) === null && may('pay')],
    ['print_note', rowHasNote(row) && may('customer.view')],
    ['print_customs', hasCustomsDocument(row) && may('customer.view')],
    ['repeat', row.sender !== null && row.receiver !== null && may('parcels.create')],
  ]
  return actions.filter(([, allowed]) => allowed).map(([action]) => action)
}
