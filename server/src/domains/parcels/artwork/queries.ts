// Queries on companies' artwork.
import type { ArtworkStatus } from '@waybill/contract/parcels/labels'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountArtworks } from '../../../db/schema.ts'

export type ArtworkRow = Omit<Selectable<AccountArtworks>, 'status'> & { status: ArtworkStatus }

export async function insertArtwork(
  trx: DbOrTx,
  artwork: { accountId: string; id: string; attachmentId: string; createdBy: string; at: Date },
): Promise<ArtworkRow> {
  const row = await trx
    .insertInto('account_artworks')
    .values({
      account_id: artwork.accountId,
      id: artwork.id,
      attachment_id: artwork.attachmentId,
      created_by: artwork.createdBy,
      status: 'draft.in_progress',
      created_at: artwork.at,
      updated_at: artwork.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as ArtworkRow
}

/** An artwork of any account. */
export async function findArtworkRow(db: DbOrTx, id: string): Promise<ArtworkRow | null> {
  const { rows } = await sql<ArtworkRow>`select * from account_artworks where id = ${id}::uuid`.execute(db)
  return rows[0] ?? null
}

/** A locked artwork; `accountId` null: of any account, for staff. */
export async function lockArtwork(trx: DbOrTx, id: string, accountId: string | null): Promise<ArtworkRow | null> {
  const { rows } = await sql<ArtworkRow>`
    select *
    from account_artworks
    where id = ${id}::uuid and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
    for update`.execute(trx)
  return rows[0] ?? null
}

export async function setArtworkStatus(
  trx: DbOrTx,
  row: ArtworkRow,
  change: { status: ArtworkStatus; remark: string | null; decidedBy: string | null; at: Date },
): Promise<ArtworkRow> {
  const updated = await trx
    .updateTable('account_artworks')
    .set({
      status: change.status,
      remark: change.remark,
      decided_by: change.decidedBy,
      version: row.version + 1,
      updated_at: change.at,
    })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return updated as ArtworkRow
}

/** An account's artwork, the latest first. */
export async function listArtworkRows(db: DbOrTx, accountId: string): Promise<ArtworkRow[]> {
  const { rows } = await sql<ArtworkRow>`
    select *
    from account_artworks
    where account_id = ${accountId}::uuid
    order by created_at desc, id desc
    limit 50`.execute(db)
  return rows
}

/** The artwork to print: the latest approved one. */
export async function approvedArtwork(db: DbOrTx, accountId: string): Promise<ArtworkRow | null> {
  const { rows } = await sql<ArtworkRow>`
    select *
    from account_artworks
    where account_id = ${accountId}::uuid and status = 'artwork.approved'
    order by updated_at desc, id desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** The ids of the artworks to print, for these accounts. */
export async function listApprovedIds(db: DbOrTx, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct on (account_id) id
    from account_artworks
    where account_id = any(${[...accountIds]}::uuid[]) and status = 'artwork.approved'
    order by account_id, updated_at desc, id desc`.execute(db)
  return rows.map(({ id }) => id)
}

/** A page of all companies' artwork, the last changed first; without a status all that was submitted. */
export async function listAllArtworkRows(
  db: DbOrTx,
  filter: { status?: ArtworkStatus; offset: number; limit: number },
): Promise<{ rows: ArtworkRow[]; total: number }> {
  const condition = filter.status ? sql`status = ${filter.status}` : sql`status <> 'draft.in_progress'`
  const [page, total] = await Promise.all([
    sql<ArtworkRow>`
      select *
      from account_artworks
      where ${condition}
      order by updated_at desc, id desc
      limit ${filter.limit} offset ${filter.offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from account_artworks where ${condition}`.execute(db),
  ])
  return { rows: page.rows, total: total.rows[0]?.total ?? 0 }
}
