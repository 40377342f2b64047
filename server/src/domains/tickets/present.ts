/** Formats tickets for the API. */
import type { Attachment } from '@waybill/contract/attachments/attachments'
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { Artwork } from '@waybill/contract/parcels/labels'
import type { ClaimState } from '@waybill/contract/tickets/claims'
import type { ListedTicket, Ticket } from '@waybill/contract/tickets/tickets'
import type { UserCaller } from '../../http/caller.ts'
import type { TicketRow } from './queries.ts'
import type { ClaimRow, DocumentRow } from './queries-claims.ts'
import { checklist, listTicketActions } from './rules.ts'

/** A ticket of a list. */
export function presentListedTicket(row: TicketRow & { claim_state: ClaimState | null }, now: Date): ListedTicket {
  const isAbout = row.about_subject && row.about_id
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    status: row.status,
    title: row.title,
    claimState: row.claim_state,
    about: isAbout ? { subject: isAbout && row.about_subject, id: row.about_id, number: row.about_number } : null,
    deadline:
      row.waits_for && row.due_at
        ? { at: row.due_at.toISOString(), waitsFor: row.waits_for, overdue: row.due_at <= now }
        : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  } as ListedTicket
}

/** The related data of a ticket. */
export type TicketParts = {
  claim: ClaimRow | null
  parcelStatus: ParcelStatus | null
  artwork: Artwork | null
  documents: readonly DocumentRow[]
  files: ReadonlyMap<string, Attachment>
  createdByName: string | null
}

/** One ticket as a caller sees it. */
export function presentTicket(row: TicketRow, parts: TicketParts, caller: UserCaller, now: Date): Ticket {
  const { claim, artwork, documents, files } = parts
  return {
    ...presentListedTicket({ ...row, claim_state: claim?.state ?? null }, now),
    version: row.version,
    description: row.description,
    documents: checklist(row.kind, claim?.reason ?? null).map((line) => ({
      ...line,
      files: documents.flatMap(({ kind, attachment_id }) =>
        kind === line.kind ? (files.get(attachment_id) ?? []) : [],
      ),
    })),
    claim: claim && {
      parcelId: claim.parcel_id,
      reason: claim.reason,
      state: claim.state,
      parcelStatus: parts.parcelStatus ?? 'completed',
      insuredMinor: claim.insured_minor,
      claimedMinor: claim.claimed_minor,
      paidMinor: claim.paid_minor,
      currency: claim.currency,
      decisionNote: claim.decision_note,
      decidedAt: claim.decided_at?.toISOString() ?? null,
    },
    artwork,
    createdByName: parts.createdByName,
    allowedActions: listTicketActions(row, claim?.state ?? null, caller),
  }
}
