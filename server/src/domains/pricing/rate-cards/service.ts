/** Rate cards for staff. A draft is copied from a version, edited, and published once; after that it never changes. */

import { addDays } from '@waybill/contract/ground/days'
import type { BodyOf, QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { parseSort } from '@waybill/contract/ground/paging'
import type {
  createRateCard,
  getRateCard,
  listRateCards,
  publishRateCard,
  RateCard,
  RateLine,
  updateRateCard,
} from '@waybill/contract/pricing/rate-cards'
import type { SettingKey } from '@waybill/contract/settings/setting-rules'
import { type Activity, recordActivity } from '../../../activity.ts'
import { wordPatterns } from '../../../db/conditions/like.ts'
import { type DbOrTx, type Tx, tx } from '../../../db/pool.ts'
import type { Deps } from '../../../deps.ts'
import type { StaffCaller } from '../../../http/caller.ts'
import { AppError, type FieldProblem, validationError } from '../../../http/errors.ts'
import { dayIn } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import { countAccountsByRateCard } from '../../accounts/company/conditions.ts'
import { lockZoneCodes } from '../../stations/zones/queries.ts'
import { removeUnusedZone, zoneToRemove } from '../../stations/zones/service.ts'
import { listRateLines } from '../queries.ts'
import {
  type CardRow,
  cardsWithZone,
  deleteDraft,
  deleteLines,
  endCards,
  findCard,
  insertDraft,
  insertLines,
  listCardRows,
  listCardVersions,
  lockCards,
  updateDraft,
} from './queries.ts'
import { findPriceReadiness, type PriceReadiness } from './queries-readiness.ts'
import { ratesTopic } from './rates.ts'
import { isValidOn, lineProblems, resolveValidity } from './rules.ts'

type CardWithLines = ResponseOf<typeof getRateCard>

const today = ({ clock, settings }: Deps) => dayIn(clock.now(), settings.get('timezone'))

const activity = (
  deps: Deps,
  caller: StaffCaller,
  verb: string,
  card: { id: string; code: string; edition: number },
  detail = {},
): Activity => ({
  action: `rates.${verb}`,
  level: 'NOTICE',
  userId: caller.userId,
  subject: card.id,
  detail: { code: card.code, edition: card.edition, ...detail },
  at: deps.clock.now(),
})

function presenter(deps: Deps, accounts: ReadonlyMap<string, number>) {
  const common = deps.settings.get('price.rateCard')
  return ({ accountId: _, updatedAt, ...card }: CardRow): RateCard => ({
    ...card,
    accountCount: accounts.get(card.code) ?? 0,
    common: card.code === common,
    updatedAt: updatedAt.toISOString(),
  })
}

/** A page of rate cards, one row per version. */
export async function readRateCards(
  deps: Deps,
  { state, search, sort, offset, limit }: QueryOf<typeof listRateCards>,
): Promise<ResponseOf<typeof listRateCards>> {
  const filter = { today: today(deps), state: state ?? null, patterns: wordPatterns(search) }
  const [{ rows, total }, accounts] = await Promise.all([
    listCardRows(deps.db, filter, { sort: parseSort(sort), offset, limit }),
    countAccountsByRateCard(deps.db),
  ])
  return { items: rows.map(presenter(deps, accounts)), total, offset, limit }
}

/** A version of a card. Throws not_found. */
export async function getCard(deps: Deps, db: DbOrTx, id: string): Promise<CardRow> {
  const row = await findCard(db, id, today(deps))
  if (!row) throw new AppError('not_found')
  return row
}

/** One version with its lines. Throws not_found. */
export async function readRateCard(deps: Deps, id: string): Promise<CardWithLines> {
  const row = await getCard(deps, deps.db, id)
  const [lines, accounts] = await Promise.all([listRateLines(deps.db, id), countAccountsByRateCard(deps.db)])
  return { ...presenter(deps, accounts)(row), lines: lines.map(({ rateCardId: _, ...line }) => line) }
}

/** Only one draft of a card may be open. Throws rate_card_draft_exists. */
function refuseSecondDraft(versions: Awaited<ReturnType<typeof listCardVersions>>): void {
  const open = versions.find(({ status }) => status === 'draft')
  if (open) throw new AppError('rate_card_draft_exists', { details: { id: open.id } })
}

/**
 * Inserts a draft with lines: those of `from`, unless others are given. Throws rate_card_draft_exists, and 422 for the
 * code of another card.
 */
async function insertVersion(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  draft: { id: string; code: string; name: string; currency: string },
  from: CardRow | null,
  newLines?: readonly RateLine[],
): Promise<void> {
  await lockCards(trx, draft.code)
  const versions = await listCardVersions(trx, draft.code)
  const isNewCard = draft.code !== from?.code
  if (isNewCard && versions.length > 0) throw validationError({ field: 'code', rule: 'taken' })
  refuseSecondDraft(versions)
  const edition = Math.max(0, ...versions.map((version) => version.edition)) + 1
  await insertDraft(trx, { ...draft, edition, accountId: isNewCard ? null : from.accountId }, deps.clock.now())
  const lines = newLines ?? (from ? await listRateLines(trx, from.id) : [])
  await insertLines(
    trx,
    draft.id,
    lines.map((line) => ({ ...line, id: newId() })),
  )
  await recordActivity(trx, activity(deps, caller, 'draft', { ...draft, edition }, { from: from?.id ?? null }))
}

/**
 * Drafts the next version of a card, or a new card, with the lines of an existing one; without `fromId` a new card
 * without lines, in the currency of the settings. Throws not_found, rate_card_draft_exists, and 422 for the code of
 * another card, and for a new card without code or name.
 */
export async function draftRateCard(
  deps: Deps,
  caller: StaffCaller,
  { fromId, code, name }: BodyOf<typeof createRateCard>,
): Promise<CardWithLines> {
  const id = newId()
  await tx(deps.db, async (trx) => {
    if (fromId !== undefined) {
      const from = await getCard(deps, trx, fromId)
      const draft = { id, code: code ?? from.code, name: name ?? from.name, currency: from.currency }
      return insertVersion(deps, trx, caller, draft, from)
    }
    if (code === undefined || name === undefined) {
      const missing = [...(code === undefined ? ['code'] : []), ...(name === undefined ? ['name'] : [])]
      throw validationError(...missing.map((field) => ({ field, rule: 'required' })))
    }
    await insertVersion(deps, trx, caller, { id, code, name, currency: deps.settings.get('currency') }, null)
  })
  return readRateCard(deps, id)
}

/** The draft, with its card locked. Throws not_found, rate_card_published, version_conflict. */
async function openDraft(deps: Deps, trx: Tx, id: string, version: number | null): Promise<CardRow> {
  const { code } = await getCard(deps, trx, id)
  await lockCards(trx, code)
  const row = await getCard(deps, trx, id)
  if (row.state !== 'draft') throw new AppError('rate_card_published')
  if (version !== null && row.version !== version) {
    throw new AppError('version_conflict', { details: { version: row.version } })
  }
  return row
}

/** Changes a draft. Throws what `openDraft` throws, and 422 with the first problem of each line. */
export async function writeRateCard(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, name, lines }: BodyOf<typeof updateRateCard>,
): Promise<CardWithLines> {
  await tx(deps.db, async (trx) => {
    const draft = await openDraft(deps, trx, id, version)
    const problems = lineProblems(lines, await lockZoneCodes(trx))
    if (problems.length > 0) throw validationError(...problems)
    await updateDraft(trx, id, version, { name }, deps.clock.now())
    await deleteLines(trx, id)
    await insertLines(
      trx,
      id,
      lines.map((line) => ({ ...line, id: newId() })),
    )
    await recordActivity(trx, activity(deps, caller, 'edit', draft, { name, lines: lines.length }))
  })
  return readRateCard(deps, id)
}

/**
 * A version that lines may be imported into: a draft, or a published one of a card without a draft. Throws not_found,
 * rate_card_draft_exists.
 */
export async function requireImportable(deps: Deps, db: DbOrTx, id: string): Promise<CardRow> {
  const card = await getCard(deps, db, id)
  if (card.state !== 'draft') refuseSecondDraft(await listCardVersions(db, card.code))
  return card
}

/** Locks the versions of a card, and the zones of its lines. Throws not_found. */
export async function lockForImport(deps: Deps, trx: Tx, id: string): Promise<void> {
  await lockCards(trx, (await getCard(deps, trx, id)).code)
  await lockZoneCodes(trx)
}

/**
 * Replaces the lines of a draft, or drafts the next version of a published one with them. The caller has locked and
 * checked them. Returns the draft's id.
 */
export async function saveImportedLines(
  deps: Deps,
  trx: Tx,
  caller: StaffCaller,
  cardId: string,
  lines: readonly RateLine[],
): Promise<string> {
  const card = await requireImportable(deps, trx, cardId)
  const id = newId()
  if (card.state !== 'draft') {
    const { code, name, currency } = card
    await insertVersion(deps, trx, caller, { id, code, name, currency }, card, lines)
    return id
  }
  await updateDraft(trx, cardId, card.version, { name: card.name }, deps.clock.now())
  await deleteLines(trx, cardId)
  await insertLines(
    trx,
    cardId,
    lines.map((line) => ({ ...line, id: newId() })),
  )
  return cardId
}

/**
 * Publishes a draft from a day on, in every process after the commit. Without an end day, the open-ended version before
 * it ends the day before. Throws what `openDraft` throws, and 422 for a past day, for one on which another version is
 * valid, and for an end day after which the common card would have no prices.
 */
export async function publishDraft(
  deps: Deps,
  caller: StaffCaller,
  id: string,
  { version, validFrom, validTo }: BodyOf<typeof publishRateCard>,
): Promise<RateCard> {
  await tx(deps.db, async (trx) => {
    const draft = await openDraft(deps, trx, id, version)
    const lines = await listRateLines(trx, id)
    if (lines.length === 0) throw validationError({ field: 'lines', rule: 'required' })
    const problems = lineProblems(lines, await lockZoneCodes(trx))
    if (problems.length > 0) throw validationError(...problems)
    const versions = await listCardVersions(trx, draft.code)
    const published = versions.flatMap((each) => (each.validFrom ? [{ ...each, validFrom: each.validFrom }] : []))
    const { ends, problem } = resolveValidity({ validFrom, validTo }, published, today(deps))
    if (problem) throw validationError(problem)
    if (validTo !== null && draft.code === deps.settings.get('price.rateCard')) {
      const dayAfter = addDays(validTo, 1)
      if (!published.some((each) => isValidOn(each, dayAfter)))
        throw validationError({ field: 'validTo', rule: 'commonCardEnds' })
    }
    const endedCards = published.filter((each) => ends.some(({ edition }) => edition === each.edition))
    const at = deps.clock.now()
    await endCards(
      trx,
      endedCards.map((each) => each.id),
      addDays(validFrom, -1),
      at,
    )
    await updateDraft(trx, id, version, { status: 'published', valid_from: validFrom, valid_to: validTo }, at)
    await recordActivity(trx, activity(deps, caller, 'publish', draft, { validFrom, validTo }))
    await deps.live.publish(trx, ratesTopic, {})
  })
  const accounts = await countAccountsByRateCard(deps.db)
  return presenter(deps, accounts)(await getCard(deps, deps.db, id))
}

/** Deletes a draft. Throws not_found, rate_card_published. */
export async function removeDraft(deps: Deps, caller: StaffCaller, id: string): Promise<void> {
  await tx(deps.db, async (trx) => {
    const draft = await openDraft(deps, trx, id, null)
    await deleteDraft(trx, id)
    await recordActivity(trx, activity(deps, caller, 'remove', draft))
  })
}

/** Deletes a zone. Throws not_found, and zone_in_use with the rate cards that use it. */
export async function deleteUnusedZone(deps: Deps, caller: StaffCaller, id: string): Promise<void> {
  await tx(deps.db, async (trx) => {
    const zone = await zoneToRemove(trx, id)
    const cards = await cardsWithZone(trx, zone)
    if (cards.length > 0) throw new AppError('zone_in_use', { vars: { cards }, details: { cards } })
    await removeUnusedZone(deps, trx, caller, id, zone.code)
  })
}

/** A check of the settings: the common card must have a version that is valid today, or nothing has a price. */
export async function checkCommonCard(
  deps: Deps,
  trx: Tx,
  changes: ReadonlyMap<SettingKey, unknown>,
): Promise<FieldProblem[]> {
  const code = changes.get('price.rateCard')
  if (code === undefined) return []
  const versions = await listCardVersions(trx, String(code))
  const isValid = versions.some(
    ({ validFrom, validTo }) => validFrom !== null && isValidOn({ validFrom, validTo }, today(deps)),
  )
  return isValid ? [] : [{ field: 'price.rateCard', rule: 'cardNotValid' }]
}

/** Whether the common card has a price for a domestic parcel, and from which day. */
export async function getPriceReadiness(deps: Deps): Promise<PriceReadiness> {
  return findPriceReadiness(deps.db, deps.settings.get('price.rateCard'), today(deps))
}
