// Print runs: large prints of consignment notes.
import { labelValues } from '@waybill/contract/ground/enums/labels'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { hasNote } from '@waybill/contract/ground/status/parcel-status'
import type { NotePaper } from '@waybill/contract/parcels/labels'
import { type Selectable, sql } from 'kysely'
import { deleteOldRows } from '../../../db/batches.ts'
import { belongsTo, type DbOrTx, literals } from '../../../db/pool.ts'
import type { PrintRuns } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'

const statusesWithNote = labelValues(parcelStatusLabels).filter((status) => hasNote({ trackingNumber: '', status }))

export type PrintRunRow = Omit<Selectable<PrintRuns>, 'format' | 'parcel_ids'> & { format: NotePaper; total: number }

export async function insertPrintRun(
  trx: DbOrTx,
  run: {
    accountId: AccountId
    id: string
    createdBy: string
    format: NotePaper
    startAt: number
    parcelIds: readonly string[]
    at: Date
  },
): Promise<void> {
  await sql`
    insert into print_runs (account_id, id, created_by, format, start_at, parcel_ids, created_at)
    values (
      ${run.accountId}, ${run.id}, ${run.createdBy}, ${run.format}, ${run.startAt}, ${run.parcelIds}::uuid[],
      ${run.at})`.execute(trx)
}

/** A print run of this user, without the ids of its parcels. */
export async function findPrintRun(
  db: DbOrTx,
  accountId: AccountId,
  userId: string,
  id: string,
): Promise<PrintRunRow | null> {
  const { rows } = await sql<PrintRunRow>`
    select account_id, id, created_by, format, start_at, printed, finished_at, created_at,
      cardinality(parcel_ids) as total
    from print_runs
    where account_id = ${accountId}::uuid and id = ${id}::uuid and created_by = ${userId}::uuid`.execute(db)
  return rows[0] ?? null
}

/** The ids of a part of the run's parcels, in their order. */
export async function listParcelIdsOfRun(
  db: DbOrTx,
  run: PrintRunRow,
  offset: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select parcel_ids[${offset + 1}::int : ${offset + limit}::int] as ids
    from print_runs
    where account_id = ${run.account_id}::uuid and id = ${run.id}::uuid`.execute(db)
  return rows[0]?.ids ?? []
}

export async function setPrinted(
  db: DbOrTx,
  run: PrintRunRow,
  printed: number,
  finishedAt: Date | null,
): Promise<void> {
  await sql`
    update print_runs
    set printed = ${printed}, finished_at = ${finishedAt}
    where account_id = ${run.account_id}::uuid and id = ${run.id}::uuid`.execute(db)
}

/** Whether each parcel has a note, by id; parcels that the caller may not see have no entry. */
export async function findPrintable(
  db: DbOrTx,
  accountId: AccountId,
  createdBy: string | null,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; printable: boolean }>`
    select id, tracking_number is not null and status in (${literals(statusesWithNote)}) as printable
    from parcels
    where ${belongsTo(accountId)}
      and id = any(${ids}::uuid[])
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return new Map(rows.map(({ id, printable: has }) => [id, has]))
}

/** Deletes old runs; their notes can be printed again in a new one. */
export async function deletePrintRuns(db: DbOrTx, before: Date): Promise<void> {
  await deleteOldRows(db, 'print_runs', 'created_at', before)
}
