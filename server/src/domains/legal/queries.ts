/** Queries on the terms of carriage and the privacy notice. */
import { type LegalKind, maxLegalVersions } from '@waybill/contract/legal/legal'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../db/pool.ts'

export type LegalRow = {
  version: number
  text: { en: string; cn_zh?: string }
  published_at: Date
  /** The version in force. */
  latest: number
}

/** A version of a text; with null, the version in force. */
export async function findLegalText(db: DbOrTx, kind: LegalKind, version: number | null): Promise<LegalRow | null> {
  const { rows } = await sql<LegalRow>`
    select version, text, published_at, (select max(version) from legal_texts where kind = ${kind}::text) as latest
    from legal_texts
    where kind = ${kind}::text and (${version}::int is null or version = ${version}::int)
    order by version desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

export async function listLegalRows(db: DbOrTx, kind: LegalKind): Promise<Omit<LegalRow, 'latest'>[]> {
  const { rows } = await sql<Omit<LegalRow, 'latest'>>`
    select version, text, published_at
    from legal_texts
    where kind = ${kind}::text
    order by version desc
    limit ${maxLegalVersions}::int`.execute(db)
  return rows
}

/** SQL of the number of the version in force; null if none is published. */
export const versionInForce = (kind: LegalKind): RawBuilder<number | null> =>
  sql`(select max(version) from legal_texts where kind = ${sql.lit(kind)})`

/** The number of the version in force of each text; null if none is published. */
export async function findVersionsInForce(db: DbOrTx): Promise<{ terms: number | null; privacy: number | null }> {
  const { rows } = await sql<{ terms: number | null; privacy: number | null }>`
    select
      ${versionInForce('terms')} as terms,
      ${versionInForce('privacy')} as privacy`.execute(db)
  return rows[0] ?? { terms: null, privacy: null }
}

/** Inserts a version. False if another author has published it meanwhile. */
export async function insertLegalText(
  trx: DbOrTx,
  row: { kind: LegalKind; version: number; text: LegalRow['text']; by: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql<{ version: number }>`
    insert into legal_texts (kind, version, text, published_by, published_at)
    values (
      ${row.kind}::text, ${row.version}::int, ${JSON.stringify(row.text)}::jsonb, ${row.by}::uuid,
      ${row.at}::timestamptz
    )
    on conflict do nothing
    returning version`.execute(trx)
  return rows.length > 0
}
