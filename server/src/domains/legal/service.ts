/** The terms of carriage and the privacy notice. */
import type { Locale } from '@waybill/contract/ground/constants'
import type { BodyOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import type {
  LegalKind,
  LegalText,
  LegalVersion,
  listLegalVersions,
  publishLegalText,
} from '@waybill/contract/legal/legal'
import type { RawBuilder } from 'kysely'
import { recordActivity } from '../../activity.ts'
import { type DbOrTx, tx } from '../../db/pool.ts'
import type { Deps } from '../../deps.ts'
import type { StaffCaller } from '../../http/caller.ts'
import { AppError } from '../../http/errors.ts'
import {
  findLegalText,
  findVersionsInForce,
  insertLegalText,
  type LegalRow,
  listLegalRows,
  versionInForce,
} from './queries.ts'

/** A text in the caller's language: the version in force, or an earlier one. Throws not_found. */
export async function readLegalText(
  deps: Deps,
  kind: LegalKind,
  version: number | null,
  locale: Locale,
): Promise<LegalText> {
  const row = await findLegalText(deps.db, kind, version)
  if (!row) throw new AppError('not_found')
  const { text, latest, published_at } = row
  return {
    kind,
    version: row.version,
    latest,
    publishedAt: published_at.toISOString(),
    text: text[locale] ?? text.en,
  }
}

/** The versions in force, which a user accepts now. */
export function getVersionsInForce(db: DbOrTx): Promise<{ terms: number | null; privacy: number | null }> {
  return findVersionsInForce(db)
}

/** SQL of the version of the terms in force, for a statement of a higher domain. */
export function selectTermsInForce(): RawBuilder<number | null> {
  return versionInForce('terms')
}

function presentVersion({ version, text, published_at }: Omit<LegalRow, 'latest'>): LegalVersion {
  return { version, publishedAt: published_at.toISOString(), text: { en: text.en, cn_zh: text.cn_zh ?? null } }
}

export async function listVersions(deps: Deps, kind: LegalKind): Promise<ResponseOf<typeof listLegalVersions>> {
  return { items: (await listLegalRows(deps.db, kind)).map(presentVersion) }
}

/** Publishes the next version, in force at once. Throws version_conflict if `after` is not the latest version. */
export async function publishVersion(
  deps: Deps,
  caller: StaffCaller,
  kind: LegalKind,
  { after, text }: BodyOf<typeof publishLegalText>,
): Promise<LegalVersion> {
  const at = deps.clock.now()
  const version = (after ?? 0) + 1
  const texts = { en: text.en, ...(text.cn_zh === null ? {} : { cn_zh: text.cn_zh }) }
  await tx(deps.db, async (trx) => {
    const inForce = (await findVersionsInForce(trx))[kind]
    const row = { kind, version, text: texts, by: caller.userId, at }
    if (inForce !== after || !(await insertLegalText(trx, row))) throw new AppError('version_conflict')
    await recordActivity(trx, {
      action: 'legal.published',
      level: 'NOTICE',
      userId: caller.userId,
      detail: { kind, version },
      at,
    })
  })
  return presentVersion({ version, text: texts, published_at: at })
}
