import type { AccessRule } from '@waybill/contract/ground/access'
import { decide } from '@waybill/contract/ground/access'
import type { ParcelAction } from '@waybill/contract/parcels/parcels'
import type { Deps } from '../../deps.ts'
import type { AnyCaller, CustomerCaller } from '../../http/caller.ts'
import { type Acted, whyNotCancelled, whyNotRecalled, whyNotReturned } from './allowed-actions.ts'
import type { ParcelRow } from './queries.ts'
import { missingFields } from './rules.ts'
import { nextParcelState, type ParcelEvent, stateOf } from './status.ts'

/** Whose parcels a caller sees: null for all of the account, else the user's own (members without parcels.view_all). */
export function onlyCreatedBy(caller: CustomerCaller): string | null {
  return caller.isOwner || caller.permissions.includes('parcels.view_all') ? null : caller.userId
}

/** May still be edited or removed: nothing has been promised or paid. */
export function isDraft(row: ParcelRow): boolean {
  return row.status === 'pending' || row.status === 'incart'
}

/** A note is for the parcel that travels: it needs a number, and a cancelled parcel doesn't travel. */
export function hasNote(row: ParcelRow): boolean {
  return row.tracking_number !== null && row.status !== 'cancel' && row.status !== 'refunded'
}

/** A declaration is for the parcel that travels abroad. */
export function hasCustomsDocument(row: ParcelRow): boolean {
  return row.scope === 'international' && row.customs !== null && hasNote(row)
}

/** What the refusals of `actions.ts` must know of a row. */
export const actionFacts = (row: ParcelRow): Acted => ({
  ...stateOf(row),
  since: row.last_event_at,
  scope: row.scope,
})

/**
 * What this caller may do with the parcel now, worked out from the transition table and the table of access; screens
 * show just these.
 */
export function allowedActions({ clock, settings }: Deps, row: ParcelRow, caller: AnyCaller): ParcelAction[] {
  if (caller.kind !== 'customer') return []
  const may = (rule: AccessRule) => decide(rule, caller) === 'pass'
  const leadsOn = (event: ParcelEvent) => nextParcelState(stateOf(row), event) !== null
  const parcel = actionFacts(row)
  const window = { now: clock.now(), days: settings.get('returns.windowDays') }
  const actions: [ParcelAction, boolean][] = [
    ['edit', isDraft(row) && may('parcels.create')],
    ['add_to_cart', leadsOn('added_to_cart') && missingFields(row).length === 0 && may('parcels.create')],
    ['take_out_of_cart', leadsOn('taken_out') && may('parcels.create')],
    ['remove', isDraft(row) && may('parcels.create')],
    ['checkout', leadsOn('checkout_gateway') && may('pay')],
    ['pay_outstanding', row.status === 'outstanding' && row.amount_due_minor > 0 && may('pay')],
    ['contest_weight', row.contest_until !== null && may('parcels.create')],
    ['choose_delivery', leadsOn('diverted') && row.choice_made !== true && may('parcels.create')],
    ['cancel', whyNotCancelled(parcel) === null && may('parcels.create')],
    ['recall', whyNotRecalled(parcel) === null && may('pay')],
    ['return', whyNotReturned(parcel, window) === null && may('pay')],
    ['print_note', hasNote(row) && may('customer.view')],
    ['print_customs', hasCustomsDocument(row) && may('customer.view')],
    ['repeat', row.sender !== null && row.receiver !== null && may('parcels.create')],
  ]
  return actions.filter(([, allowed]) => allowed).map(([action]) => action)
}
