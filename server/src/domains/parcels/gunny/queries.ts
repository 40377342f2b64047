// Gunnies, their parcels, and the counts of them.
import type { ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import type { GunnyCheckEvent, GunnyStatus } from '@waybill/contract/parcels/gunny'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { belongsTo, type DbOrTx } from '../../../db/pool.ts'
import type { Gunnies, GunnyChecks } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'
import type { ParcelRow } from '../queries.ts'

type ColumnTypes = { status: GunnyStatus }
export type GunnyRow = Omit<Selectable<Gunnies>, keyof ColumnTypes> & ColumnTypes
/** A gunny with the parcels that it holds now; `differs`: the last count had missing or extra parcels. */
export type CountedGunny = GunnyRow & { parcel_count: number; weight_grams: number; differs: boolean }
export type RefusedParcel = { number: string; status: ParcelStatus }
export type CheckRow = Omit<Selectable<GunnyChecks>, 'event' | 'refused'> & {
  event: GunnyCheckEvent
  refused: RefusedParcel[]
}

/**
 * The parcels `p` that a gunny `g` holds: while it is being packed those that wait for drop-off, later those that have
 * not left it.
 */
const isInGunny = sql`
      p.account_id = g.account_id
      and p.gunny_id = g.id
      and case g.status
        when 'open' then p.status = 'pending_dropoff'
        when 'at_station' then p.status in ('inbound', 'sorting') and p.station_id = g.station_id
        when 'in_transit' then p.status = 'outbound'
        else p.handed_over
      end`

const selectCounted = sql`
    select g.*, c.parcel_count, c.weight_grams, coalesce(d.differs, false) as differs
    from gunnies g
    cross join lateral (
      select count(*)::int as parcel_count,
        coalesce(sum(coalesce(p.actual_grams, p.weight_grams)), 0)::int as weight_grams
      from parcels p
      where ${isInGunny}
    ) c
    left join lateral (
      select missing <> '{}' or extra <> '{}' or unknown <> '{}' or refused <> '[]' as differs
      from gunny_checks k
      where k.account_id = g.account_id and k.gunny_id = g.id
      order by at desc, id desc
      limit 1
    ) d on true`

export async function nextGunnySerial(trx: DbOrTx): Promise<number> {
  const { rows } = await sql<{ serial: number }>`select nextval('gunny_serial') as serial`.execute(trx)
  return rows[0]?.serial ?? 0
}

export async function insertGunny(
  trx: DbOrTx,
  gunny: {
    accountId: AccountId
    id: string
    createdBy: string
    serial: number
    number: string
    sscc: string
    dropOffStationId: string | null
    sealNumber: string | null
    at: Date
  },
): Promise<void> {
  await trx
    .insertInto('gunnies')
    .values({
      account_id: gunny.accountId,
      id: gunny.id,
      created_by: gunny.createdBy,
      serial: gunny.serial,
      number: gunny.number,
      sscc: gunny.sscc,
      drop_off_station_id: gunny.dropOffStationId,
      seal_number: gunny.sealNumber,
      created_at: gunny.at,
      updated_at: gunny.at,
    })
    .execute()
}

/** A gunny of an account; with `createdBy` only if that user packed it. */
export async function findGunny(
  db: DbOrTx,
  accountId: AccountId,
  id: string,
  createdBy: string | null,
): Promise<CountedGunny | null> {
  const { rows } = await sql<CountedGunny>`
    ${selectCounted}
    where g.account_id = ${accountId}::uuid and g.id = ${id}::uuid
      and (${createdBy}::uuid is null or g.created_by = ${createdBy}::uuid)`.execute(db)
  return rows[0] ?? null
}

/** A gunny of any account, for staff. */
export async function findGunnyByCode(
  db: DbOrTx,
  by: 'sscc' | 'number' | 'id',
  value: string,
): Promise<CountedGunny | null> {
  const { rows } = await sql<CountedGunny>`${selectCounted} where g.${sql.ref(by)} = ${value}`.execute(db)
  return rows[0] ?? null
}

/** A locked gunny; `accountId` null: of any account. Gunnies are locked before their parcels, to avoid deadlocks. */
export async function lockGunny(
  trx: DbOrTx,
  id: string,
  accountId: AccountId | null,
  createdBy: string | null = null,
): Promise<GunnyRow | null> {
  const { rows } = await sql<GunnyRow>`
    select *
    from gunnies
    where id = ${id}::uuid
      and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
    for update`.execute(trx)
  return rows[0] ?? null
}

export type GunnyNarrowing = {
  accountId: AccountId | null
  createdBy: string | null
  statuses?: readonly GunnyStatus[]
  /** Where they are, or where they are dropped off or go next. */
  stationId?: string
  /** A part of a number or an SSCC. */
  search?: string
}
export type GunnyFilter = GunnyNarrowing & {
  sort: 'created_at' | 'updated_at'
  descending: boolean
  offset: number
  limit: number
}

/** The condition of a filter on `gunnies g`. */
function condition(filter: GunnyNarrowing): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (filter.accountId) conditions.push(sql`g.account_id = ${filter.accountId}::uuid`)
  if (filter.createdBy) conditions.push(sql`g.created_by = ${filter.createdBy}::uuid`)
  // Literals: the planner knows that few gunnies are in progress, and uses the index of the statuses.
  if (filter.statuses) conditions.push(sql`g.status in (${sql.join(filter.statuses.map((each) => sql.lit(each)))})`)
  if (filter.stationId) {
    conditions.push(sql`${filter.stationId}::uuid = case g.status
        when 'open' then coalesce(g.drop_off_station_id, ${filter.stationId}::uuid)
        when 'in_transit' then g.next_station_id
        else g.station_id
      end`)
  }
  if (filter.search) {
    const pattern = `%${filter.search.toUpperCase().replace(/[^0-9A-Z]/g, '')}%`
    conditions.push(sql`(g.number like ${pattern} or g.sscc like ${pattern})`)
  }
  return sql.join(conditions, sql` and `)
}

export async function listGunnyRows(db: DbOrTx, filter: GunnyFilter): Promise<{ rows: CountedGunny[]; total: number }> {
  const where = condition(filter)
  const direction = filter.descending ? sql`desc` : sql`asc`
  const [page, total] = await Promise.all([
    sql<CountedGunny>`
      ${selectCounted}
      where ${where}
      order by g.${sql.ref(filter.sort)} ${direction}, g.id ${direction}
      limit ${filter.limit} offset ${filter.offset}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from gunnies g where ${where}`.execute(db),
  ])
  return { rows: page.rows, total: total.rows[0]?.total ?? 0 }
}

/** The number of gunnies of each status that the other filters select; a status without any is missing. */
export async function countGunniesByStatus(
  db: DbOrTx,
  { statuses: _, ...filter }: GunnyNarrowing,
): Promise<Partial<Record<GunnyStatus, number>>> {
  const { rows } = await sql<{ status: GunnyStatus; count: number }>`
    select g.status, count(*)::int as count from gunnies g where ${condition(filter)} group by g.status`.execute(db)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** The parcels that a gunny holds now, by tracking number. */
export async function listParcelsInGunny(db: DbOrTx, gunny: GunnyRow): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select p.*
    from parcels p
    join gunnies g on g.account_id = p.account_id and g.id = p.gunny_id
    where g.account_id = ${gunny.account_id}::uuid and g.id = ${gunny.id}::uuid and ${isInGunny}
    order by p.tracking_number`.execute(db)
  return rows
}

/**
 * Parcels by number, locked in the order of their ids; `accountId` null: of any account. With `gunny` also all parcels
 * that were packed into it.
 */
export async function lockParcelsByNumbers(
  trx: DbOrTx,
  accountId: AccountId | null,
  numbers: readonly string[],
  { createdBy = null, gunny = null }: { createdBy?: string | null; gunny?: GunnyRow | null } = {},
): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where id in (
      select id
      from parcels
      where tracking_number = any(${numbers}::text[])
        and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
        and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)
      union
      select id
      from parcels
      where account_id = ${gunny?.account_id ?? null}::uuid and gunny_id = ${gunny?.id ?? null}::uuid
    )
    order by id
    for update`.execute(trx)
  return rows
}

/** Puts parcels into a gunny, or removes them (null). This does not count as an edit, so versions stay. */
export async function setGunny(trx: DbOrTx, rows: readonly ParcelRow[], gunnyId: string | null): Promise<void> {
  if (rows.length === 0) return
  // A parcel that leaves a gunny is at the station of the gunny's last count.
  await sql`
    update parcels p
    set gunny_id = ${gunnyId}::uuid,
      holder = case when p.holder <> 'gunny' then p.holder when p.station_id is null then 'carrier' else 'station' end
    from unnest(
      ${rows.map(({ account_id }) => account_id)}::uuid[],
      ${rows.map(({ id }) => id)}::uuid[]
    ) as t(account_id, id)
    where p.account_id = t.account_id and p.id = t.id`.execute(trx)
}

/** The gunnies of these parcels that are being packed or were dissolved, locked in the order of their ids. */
export async function lockPackedGunnies(trx: DbOrTx, parcelIds: readonly string[]): Promise<GunnyRow[]> {
  const { rows } = await sql<GunnyRow>`
    select *
    from gunnies
    where status in ('open', 'dissolved')
      and id in (select gunny_id from parcels where id = any(${parcelIds}::uuid[]))
    order by id
    for update`.execute(trx)
  return rows
}

/** Takes the parcels out of a gunny that do not wait for their drop-off in it; all of them if it was dissolved. */
export async function takeOutLeftParcels(trx: DbOrTx, gunny: GunnyRow): Promise<void> {
  await sql`
    update parcels
    set gunny_id = null
    where account_id = ${gunny.account_id}::uuid
      and gunny_id = ${gunny.id}::uuid
      and (status <> 'pending_dropoff' or ${gunny.status === 'dissolved'}::boolean)`.execute(trx)
}

/** Makes the station the holder of all parcels of an unpacked gunny. */
export async function holdUnpackedParcels(trx: DbOrTx, gunny: GunnyRow): Promise<void> {
  await sql`
    update parcels
    set holder = 'station'
    where account_id = ${gunny.account_id}::uuid and gunny_id = ${gunny.id}::uuid and holder = 'gunny'`.execute(trx)
}

/** The gunnies among these that are still being packed. */
export async function findOpenGunnies(trx: DbOrTx, ids: readonly string[]): Promise<Pick<GunnyRow, 'id' | 'number'>[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Pick<GunnyRow, 'id' | 'number'>>`
    select id, number from gunnies where id = any(${ids}::uuid[]) and status = 'open'`.execute(trx)
  return rows
}

/** The tracking numbers among these that belong to the gunny's account. */
export async function findOwnTrackingNumbers(
  db: DbOrTx,
  gunny: GunnyRow,
  numbers: readonly string[],
): Promise<Set<string>> {
  if (numbers.length === 0) return new Set()
  const { rows } = await sql<{ tracking_number: string }>`
    select tracking_number
    from parcels
    where tracking_number = any(${numbers}::text[]) and account_id = ${gunny.account_id}::uuid`.execute(db)
  return new Set(rows.map(({ tracking_number }) => tracking_number))
}

/** Numbers of gunnies by id. */
export async function gunnyNumbers(db: DbOrTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Pick<GunnyRow, 'id' | 'number'>>`
    select id, number from gunnies where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** The gunnies of an account with these numbers. */
export async function listGunnyNumbers(
  db: DbOrTx,
  accountId: AccountId,
  numbers: readonly string[],
): Promise<Pick<GunnyRow, 'id' | 'number'>[]> {
  const { rows } = await sql<Pick<GunnyRow, 'id' | 'number'>>`
    select id, number from gunnies where ${belongsTo(accountId)} and number = any(${numbers}::text[])`.execute(db)
  return rows
}

export type GunnyChanges = Partial<
  Pick<GunnyRow, 'status' | 'drop_off_station_id' | 'station_id' | 'next_station_id' | 'seal_number'>
>

export async function updateGunnyRow(trx: DbOrTx, gunny: GunnyRow, changes: GunnyChanges, at: Date): Promise<void> {
  await trx
    .updateTable('gunnies')
    .set({ ...changes, version: gunny.version + 1, updated_at: at })
    .where('account_id', '=', gunny.account_id)
    .where('id', '=', gunny.id)
    .execute()
}

export async function insertCheck(trx: DbOrTx, check: CheckRow): Promise<void> {
  await trx
    .insertInto('gunny_checks')
    .values({ ...check, refused: JSON.stringify(check.refused) })
    .execute()
}

/** Every count of a gunny, the latest first. */
export async function listChecks(db: DbOrTx, gunny: GunnyRow): Promise<CheckRow[]> {
  const { rows } = await sql<CheckRow>`
    select *
    from gunny_checks
    where account_id = ${gunny.account_id}::uuid and gunny_id = ${gunny.id}::uuid
    order by at desc, id desc`.execute(db)
  return rows
}
