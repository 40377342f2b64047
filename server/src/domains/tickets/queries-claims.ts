/** Queries on claims and ticket documents. */
import type { ClaimReason, ClaimState } from '@waybill/contract/tickets/claims'
import type { DocumentKind } from '@waybill/contract/tickets/tickets'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'
import type { Claims, TicketDocuments } from '../../db/schema.ts'

export type ClaimRow = Omit<Selectable<Claims>, 'reason' | 'state'> & { reason: ClaimReason; state: ClaimState }
export type DocumentRow = Omit<Selectable<TicketDocuments>, 'kind'> & { kind: DocumentKind }

/** Stores a claim. Violates `claims_once` if its parcel already has one. */
export async function insertClaim(trx: DbOrTx, row: Insertable<Claims>): Promise<ClaimRow> {
  return (await trx.insertInto('claims').values(row).returningAll().executeTakeFirstOrThrow()) as ClaimRow
}

/** The claim of a ticket; null for other tickets. The lock of the ticket covers it. */
export async function findClaim(db: DbOrTx, ticketId: string): Promise<ClaimRow | null> {
  const { rows } = await sql<ClaimRow>`select * from claims where ticket_id = ${ticketId}::uuid`.execute(db)
  return rows[0] ?? null
}

/** The claim of a parcel that was not withdrawn. */
export async function findClaimOfParcel(db: DbOrTx, parcelId: string): Promise<ClaimRow | null> {
  const { rows } = await sql<ClaimRow>`
    select * from claims where parcel_id = ${parcelId}::uuid and state <> 'withdrawn'`.execute(db)
  return rows[0] ?? null
}

/** Changes the claim of a locked ticket. */
export async function updateClaim(
  trx: DbOrTx,
  row: ClaimRow,
  changes: Partial<Pick<ClaimRow, 'state' | 'paid_minor' | 'decision_note' | 'decided_by' | 'decided_at'>>,
): Promise<void> {
  await trx
    .updateTable('claims')
    .set(changes)
    .where('account_id', '=', row.account_id)
    .where('ticket_id', '=', row.ticket_id)
    .execute()
}

/** The documents of a ticket, oldest first. */
export async function listDocuments(db: DbOrTx, ticketId: string): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    select *
    from ticket_documents
    where ticket_id = ${ticketId}::uuid
    order by added_at, attachment_id`.execute(db)
  return rows
}

/** Adds documents; existing ones are unchanged. */
export async function insertDocuments(trx: DbOrTx, rows: readonly DocumentRow[]): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('ticket_documents')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
