/** Queries on rate cards. */
import type { SortTerm } from '@waybill/contract/ground/paging'
import type { RateCardState, RateLine } from '@waybill/contract/pricing/rate-cards'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { CarrierRuleRow, ServiceRow } from '../queries.ts'

/** A version of a rate card. `version` counts its edits; the number of the version is `edition`. */
export type CardRow = {
  id: string
  code: string
  edition: number
  name: string
  currency: string
  state: RateCardState
  validFrom: string | null
  validTo: string | null
  lineCount: number
  accountId: string | null
  version: number
  updatedAt: Date
}

export type CardFilter = { today: string; state: RateCardState | null; patterns: readonly string[] }

const stateOn = (today: string) => sql`case
  when c.status = 'draft' then 'draft'
  when c.valid_from > ${today}::date then 'upcoming'
  when c.valid_to < ${today}::date then 'past'
  else 'current' end`

const cardsWith = (today: string, condition: RawBuilder<unknown>) => sql`
  select c.id, c.code, c.version as edition, c.name, c.currency, c.valid_from as "validFrom", c.valid_to as "validTo",
    c.account_id as "accountId", c.edits as version, c.updated_at as "updatedAt", ${stateOn(today)} as state,
    (select count(*) from rate_lines l where l.rate_card_id = c.id) as "lineCount"
  from rate_cards c
  where ${condition}`

const sortable: Record<string, RawBuilder<unknown>> = {
  code: sql`c.code`,
  validFrom: sql`c.valid_from`,
  updatedAt: sql`c.updated_at`,
}

/** A page of rate cards: by code, newest version first, unless another order is requested. */
export async function listCardRows(
  db: DbOrTx,
  { today, state, patterns }: CardFilter,
  { sort, offset, limit }: { sort: readonly SortTerm[]; offset: number; limit: number },
): Promise<{ rows: CardRow[]; total: number }> {
  const all = [sql`true`, ...patterns.map((pattern) => sql`lower(c.code || ' ' || c.name) like ${pattern}`)]
  if (state) all.push(sql`(${stateOn(today)}) = ${state}`)
  const condition = sql.join(all, sql` and `)
  const terms = sort.flatMap(({ field, descending }) => {
    const expression = sortable[field]
    return expression ? [sql`${expression} ${sql.raw(descending ? 'desc nulls first' : 'asc')}`] : []
  })
  const order = sql.join([...(terms.length > 0 ? terms : [sql`c.code`]), sql`c.version desc`, sql`c.id`])
  const [page, count] = await Promise.all([
    sql<CardRow>`${cardsWith(today, condition)} order by ${order} offset ${offset} limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total from rate_cards c where ${condition}`.execute(db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** A version of a card. */
export async function findCard(db: DbOrTx, id: string, today: string): Promise<CardRow | undefined> {
  return (await sql<CardRow>`${cardsWith(today, sql`c.id = ${id}::uuid`)}`.execute(db)).rows[0]
}

/** Locks all versions of a card, because a new one must fit after the others. */
export async function lockCards(trx: DbOrTx, code: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`rate card ${code}`}))`.execute(trx)
}

/** The versions of a card. */
export async function listCardVersions(
  db: DbOrTx,
  code: string,
): Promise<{ id: string; edition: number; status: string; validFrom: string | null; validTo: string | null }[]> {
  return db
    .selectFrom('rate_cards')
    .select(['id', 'status', 'version as edition', 'valid_from as validFrom', 'valid_to as validTo'])
    .where('code', '=', code)
    .orderBy('version')
    .execute()
}

/** The codes of cards with a published version. */
export async function listPublishedCodes(db: DbOrTx): Promise<string[]> {
  const rows = await db
    .selectFrom('rate_cards')
    .select('code')
    .distinct()
    .where('status', '=', 'published')
    .orderBy('code')
    .execute()
  return rows.map(({ code }) => code)
}

type Draft = { id: string; code: string; edition: number; name: string; currency: string; accountId: string | null }

/** Inserts a draft. */
export async function insertDraft(trx: DbOrTx, { edition, accountId, ...draft }: Draft, at: Date): Promise<void> {
  await trx
    .insertInto('rate_cards')
    .values({ ...draft, version: edition, account_id: accountId, status: 'draft', created_at: at, updated_at: at })
    .execute()
}

/** Inserts lines of a draft with one statement. */
export async function insertLines(
  trx: DbOrTx,
  rateCardId: string,
  lines: readonly (RateLine & { id: string })[],
): Promise<void> {
  await sql`
    insert into rate_lines (
      id, rate_card_id, scope, service_type, carrier, origin_zone, destination_zone, first_weight_grams,
      first_price_minor, step_weight_grams, step_price_minor, min_weight_grams, max_weight_grams, transit_days
    )
    select l.id, ${rateCardId}::uuid, l.scope, l."serviceType", l.carrier, l."originZone", l."destinationZone",
      l."firstWeightGrams", l."firstPriceMinor", l."stepWeightGrams", l."stepPriceMinor", l."minWeightGrams",
      l."maxWeightGrams", l."transitDays"
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l (
      id uuid, scope text, "serviceType" text, carrier text, "originZone" text, "destinationZone" text,
      "firstWeightGrams" int, "firstPriceMinor" int, "stepWeightGrams" int, "stepPriceMinor" int,
      "minWeightGrams" int, "maxWeightGrams" int, "transitDays" int
    )`.execute(trx)
}

/** Deletes the lines of a draft. */
export async function deleteLines(trx: DbOrTx, rateCardId: string): Promise<void> {
  await trx.deleteFrom('rate_lines').where('rate_card_id', '=', rateCardId).execute()
}

/** Updates a draft. False if `version` is outdated. */
export async function updateDraft(
  trx: DbOrTx,
  id: string,
  version: number,
  set: { name: string } | { status: 'published'; valid_from: string; valid_to: string | null },
  at: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('rate_cards')
    .set((value) => ({ ...set, edits: value('edits', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .where('edits', '=', version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Ends published versions on a day, when a newer one follows. */
export async function endCards(trx: DbOrTx, ids: readonly string[], day: string, at: Date): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('rate_cards')
    .set((value) => ({ valid_to: day, edits: value('edits', '+', 1), updated_at: at }))
    .where('id', 'in', [...ids])
    .execute()
}

/** Deletes a draft. */
export async function deleteDraft(trx: DbOrTx, id: string): Promise<void> {
  await deleteLines(trx, id)
  await trx.deleteFrom('rate_cards').where('id', '=', id).where('status', '=', 'draft').execute()
}

/** Cards, of any version, with a line from or to a zone. */
export async function cardsWithZone(db: DbOrTx, { scope, code }: { scope: string; code: string }): Promise<string[]> {
  const rows = await db
    .selectFrom('rate_lines')
    .innerJoin('rate_cards', 'rate_cards.id', 'rate_lines.rate_card_id')
    .select('rate_cards.code')
    .where('rate_lines.scope', '=', scope)
    .where((value) => value.or([value('origin_zone', '=', code), value('destination_zone', '=', code)]))
    .groupBy('rate_cards.code')
    .orderBy('rate_cards.code')
    .execute()
  return rows.map((row) => row.code)
}

/** False if `version` is outdated. */
export async function saveService(trx: DbOrTx, row: ServiceRow, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable('services')
    .set((value) => ({
      status: row.status,
      delivery_modes: row.deliveryModes,
      cod: row.cod,
      max_weight_grams: row.maxWeightGrams,
      max_volumetric_grams: row.maxVolumetricGrams,
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('scope', '=', row.scope)
    .where('carrier', '=', row.carrier)
    .where('service_type', '=', row.serviceType)
    .where('version', '=', row.version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** False if `version` is outdated. */
export async function saveCarrierRule(trx: DbOrTx, row: CarrierRuleRow, at: Date): Promise<boolean> {
  const result = await trx
    .updateTable('carrier_rules')
    .set((value) => ({
      divisor: row.divisor,
      rounding_grams: row.roundingGrams,
      fuel_basis_points: row.fuelBasisPoints,
      version: value('version', '+', 1),
      updated_at: at,
    }))
    .where('carrier', '=', row.carrier)
    .where('version', '=', row.version)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
