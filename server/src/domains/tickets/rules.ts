/** Rules of tickets and claims. Pure. */
import { decide } from '@waybill/contract/ground/access'
import type { TicketStatus } from '@waybill/contract/ground/enums/enums'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { deliveredStatuses, movingStatuses } from '@waybill/contract/ground/status/parcel-status'
import type { ArtworkStatus } from '@waybill/contract/parcels/labels'
import type { ClaimReason, ClaimState } from '@waybill/contract/tickets/claims'
import type { DocumentKind, TicketAction, TicketKind } from '@waybill/contract/tickets/tickets'
import type { UserCaller } from '../../http/caller.ts'
import { allowedClaimEvents } from './status.ts'

const day = 86_400_000

/** The user who opened a ticket. A claim is created by the creator of its parcel, so that the same users see both. */
export const findOpener = (row: { created_by: string; opened_by: string | null }): string =>
  row.opened_by ?? row.created_by

/** Which side must act, and until when. */
export type Deadline = { waitsFor: 'customer' | 'staff'; at: Date } | null

/** The days within which staff answer, by kind of ticket. */
const answerDays = { enquiry: 2, delivery: 1, billing: 2, claim: 7, branding: 3 } as const satisfies Record<
  TicketKind,
  number
>
/** Days after which an answered ticket without a reply is closed, and a claim without its documents lapses. */
const replyDays = 14

/** The deadline if one side must act from `now` on. */
export function deadlineFor(kind: TicketKind, waitsFor: 'customer' | 'staff', now: Date): Deadline {
  const count = waitsFor === 'staff' ? answerDays[kind] : replyDays
  return { waitsFor, at: new Date(now.getTime() + count * day) }
}

/** The deadline of a claim in a state. */
export function claimDeadline(state: ClaimState, now: Date): Deadline {
  if (state === 'documents') return deadlineFor('claim', 'customer', now)
  return state === 'submitted' ? deadlineFor('claim', 'staff', now) : null
}

/** The deadline of an artwork: a submitted one waits for staff; a draft has no deadline. */
export function artworkDeadline(status: ArtworkStatus, now: Date): Deadline {
  return status === 'draft.ready' || status === 'draft.completed' ? deadlineFor('branding', 'staff', now) : null
}

type ChecklistLine = { kind: DocumentKind; required: boolean }

const claimDocuments: Record<ClaimReason, readonly ChecklistLine[]> = {
  lost: [
    { kind: 'proof_of_value', required: true },
    { kind: 'other', required: false },
  ],
  damaged: [
    { kind: 'proof_of_value', required: true },
    { kind: 'damage_photo', required: true },
    { kind: 'packaging_photo', required: false },
    { kind: 'other', required: false },
  ],
  missing: [
    { kind: 'proof_of_value', required: true },
    { kind: 'packaging_photo', required: true },
    { kind: 'other', required: false },
  ],
}

/** The documents of a ticket: those that a claim needs for its reason; other tickets accept any. */
export function checklist(kind: TicketKind, reason: ClaimReason | null): readonly ChecklistLine[] {
  if (kind === 'claim' && reason !== null) return claimDocuments[reason]
  return kind === 'branding' ? [] : [{ kind: 'other', required: false }]
}

/** Whether all required documents are there. */
export function isComplete(lines: readonly ChecklistLine[], kinds: ReadonlySet<DocumentKind>): boolean {
  return lines.every(({ kind, required }) => !required || kinds.has(kind))
}

/** Statuses in which the courier has the parcel: between the handover and the end of its journey. */
const withCourier: readonly ParcelStatus[] = [...movingStatuses, 'outstanding']
const arrived: readonly ParcelStatus[] = [...deliveredStatuses, 'reverse_pickup']

/** The facts of a parcel that a claim depends on. */
export type ClaimBasis = {
  status: ParcelStatus
  handedOver: boolean
  insuredMinor: number | null
  /** The time of the last event; for a parcel that has arrived, of its arrival. */
  since: Date
}

/** Possible reasons for a claim by the parcel's status: one that has arrived is not lost. */
export function claimReasons({
  status,
  handedOver,
}: Pick<ClaimBasis, 'status' | 'handedOver'>): readonly ClaimReason[] {
  if (status === 'lost') return ['lost']
  if (withCourier.includes(status) && handedOver) return ['lost', 'damaged', 'missing']
  return arrived.includes(status) ? ['damaged', 'missing'] : []
}

/** Why a parcel cannot be claimed for; null: it can. `days`: the period for claims after its arrival. */
export function whyNoClaim(
  parcel: ClaimBasis,
  { now, days }: { now: Date; days: number },
): 'not_insured' | 'state' | 'window_over' | null {
  if (!parcel.insuredMinor) return 'not_insured'
  if (claimReasons(parcel).length === 0) return 'state'
  const isOver = [...arrived, 'lost'].includes(parcel.status) && now.getTime() > parcel.since.getTime() + days * day
  return isOver ? 'window_over' : null
}

type TicketState = { kind: TicketKind; status: TicketStatus; claimState: ClaimState | null }

/** The actions of a side in the current state. Artwork has separate actions (`parcels/artwork`). */
function listSideActions({ kind, status, claimState }: TicketState, side: 'customer' | 'staff'): TicketAction[] {
  if (kind === 'branding') return []
  if (kind !== 'claim' || claimState === null) {
    return status === 'closed' ? ['reopen'] : side === 'customer' ? ['add_document', 'close'] : ['close']
  }
  const events = allowedClaimEvents(claimState, side)
  const byEvent = {
    completed: 'submit_claim',
    withdrawn: 'withdraw_claim',
    documents_requested: 'request_documents',
    accepted: 'accept_claim',
    refused: 'refuse_claim',
    reconsidered: 'reconsider_claim',
  } as const
  const actions = events.flatMap((event) => (event === 'lapsed' ? [] : byEvent[event]))
  const mayAdd = side === 'customer' && (claimState === 'documents' || claimState === 'submitted')
  return mayAdd ? ['add_document', ...actions] : actions
}

type TicketUsers = { kind: TicketKind; created_by: string; opened_by: string | null }

/**
 * Whether a caller may close and reopen a ticket that they may see: staff, the user who opened it, and those who may
 * settle its subject. A member who only looks at the parcels of others must not end a colleague's question.
 */
export function maySwitchTicket(ticket: TicketUsers, caller: UserCaller): boolean {
  if (caller.kind === 'staff' || findOpener(ticket) === caller.userId) return true
  return decide(ticket.kind === 'billing' ? 'pay.owed' : 'parcels.settle', caller) === 'pass'
}

/** The actions of a caller on a ticket that they may see. */
export function listTicketActions(
  ticket: TicketUsers & { status: TicketStatus },
  claimState: ClaimState | null,
  caller: UserCaller,
): TicketAction[] {
  const isPermitted = (action: TicketAction) => {
    if (action === 'close' || action === 'reopen') return maySwitchTicket(ticket, caller)
    return action !== 'withdraw_claim' || decide('parcels.settle', caller) === 'pass'
  }
  const { kind, status } = ticket
  return listSideActions({ kind, status, claimState }, caller.kind).filter(isPermitted)
}
