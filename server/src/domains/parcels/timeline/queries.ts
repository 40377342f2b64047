// Timelines of parcels, the journeys of public tracking, and proofs of delivery.
import type { Leg, ParcelStatus } from '@waybill/contract/ground/enums/parcel-enums'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { ReadPool } from '../../../db/replicas/routing.ts'
import type { ParcelProofs, TrackingEvents } from '../../../db/schema.ts'
import type { Write } from '../../../db/writes.ts'
import type { ParcelRow } from '../queries.ts'

/** A parcel for public tracking: names, phones, streets and money are not selected at all. */
export type JourneyRow = Pick<
  ParcelRow,
  | 'status'
  | 'handed_over'
  | 'leg'
  | 'service_type'
  | 'delivery_mode'
  | 'expected_date'
  | 'promised_date'
  | 'collect_until'
  | 'self_collection_station_id'
  | 'choice_made'
  | 'carrier'
  | 'holder'
  | 'next_station_id'
  | 'station_id'
> & {
  tracking_number: string
  origin: string | null
  destination: string | null
  receiver_country: string | null
  receiver_postcode: string | null
  /** [at (epoch milliseconds), event, status, place], newest first. */
  events: [number, string, ParcelStatus, string | null][]
}

// The bounds of `e.at` keep PostgreSQL from reading the partitions of other months.
const journeys = (condition: string) => `
  select p.tracking_number, p.status, p.handed_over, p.leg, p.service_type, p.delivery_mode,
    p.sender ->> 'city' as origin,
    p.receiver ->> 'city' as destination,
    p.receiver ->> 'country' as receiver_country,
    p.receiver ->> 'postcode' as receiver_postcode,
    p.expected_date, p.promised_date, p.collect_until, p.self_collection_station_id,
    p.choice_made, p.carrier, p.holder, p.next_station_id, p.station_id,
    (
      select coalesce(
        json_agg(
          json_build_array((date_part('epoch', e.at) * 1000)::bigint, e.event, e.status, e.place)
          order by e.at desc, e.id desc
        ),
        '[]'
      )
      from tracking_events e
      where e.parcel_id = p.id
        and e.at >= p.created_at
        and e.at < coalesce(p.last_event_at, now()) + interval '1 second'
    ) as events
  from parcels p
  where ${condition}`

// With `=` PostgreSQL caches a plan that takes longer to make than to execute; with an array it does not.
const oneJourney = journeys('p.tracking_number = $1')
const manyJourneys = journeys('p.tracking_number = any($1::text[])')

/** Reads journeys by number, unordered. Unknown numbers are omitted. */
export type JourneyReader<J> = (numbers: readonly string[]) => Promise<J[]>

/** The maximum number of concurrent queries, and of tracking numbers per query. */
const atOnce = 2
const maxNumbers = 200

/**
 * A reader for public tracking, the most frequent call. Requests that arrive while two queries are running share the
 * next one, so heavy traffic costs few queries, and light traffic never waits. They also share what `toJourney` makes
 * of a row. Nothing is cached: each request gets a state that is newer than its arrival.
 */
export function journeyReader<J>(pool: ReadPool, toJourney: (row: JourneyRow) => Promise<J>): JourneyReader<J> {
  type Waiting = { numbers: readonly string[]; resolve(journeys: J[]): void; reject(error: unknown): void }
  const waiting: Waiting[] = []
  let running = 0

  const query = async (numbers: readonly string[]): Promise<JourneyRow[]> => {
    const { rows } = await (numbers.length === 1
      ? pool.query<JourneyRow>(oneJourney, [numbers[0]])
      : pool.query<JourneyRow>(manyJourneys, [numbers]))
    return rows
  }

  const next = async (): Promise<void> => {
    const batch: Waiting[] = []
    const numbers = new Set<string>()
    while (
      waiting.length > 0 &&
      (batch.length === 0 || numbers.size + (waiting[0]?.numbers.length ?? 0) <= maxNumbers)
    ) {
      const first = waiting.shift() as Waiting
      for (const number of first.numbers) numbers.add(number)
      batch.push(first)
    }
    running++
    try {
      const rows = await query([...numbers])
      const byNumber = new Map(
        await Promise.all(rows.map(async (row) => [row.tracking_number, await toJourney(row)] as const)),
      )
      for (const { numbers, resolve } of batch) resolve(numbers.flatMap((number) => byNumber.get(number) ?? []))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    running--
    if (waiting.length > 0 && running < atOnce) void next()
  }

  return (numbers) =>
    new Promise((resolve, reject) => {
      waiting.push({ numbers, resolve, reject })
      if (running < atOnce) void next()
    })
}

type ColumnTypes = {
  status: ParcelStatus
  from_status: ParcelStatus | null
  leg: Leg
  detail: Record<string, unknown>
}
type TimelineRow = Omit<Selectable<TrackingEvents>, keyof ColumnTypes> & ColumnTypes
export type EventRow = Omit<TimelineRow, 'account_id' | 'actor_id'>
export type ProofRow = Pick<Selectable<ParcelProofs>, 'parcel_id' | 'recipient_name' | 'signature_path' | 'at'>

/** The timelines of parcels, newest first. `since`: when the oldest parcel was created. */
export async function listEventsOfParcels(db: DbOrTx, parcelIds: readonly string[], since: Date): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select parcel_id, id, at, event, from_status, status, leg, place, station_id, note, detail
    from tracking_events
    where parcel_id = any(${parcelIds}::uuid[]) and at >= ${since}::timestamptz
    order by at desc, id desc`.execute(db)
  return rows
}

/** The users who caused events of a parcel. `since`: when the parcel was created. */
export async function listEventActors(
  db: DbOrTx,
  parcelId: string,
  since: Date,
): Promise<{ id: string; actor_id: string }[]> {
  const { rows } = await sql<{ id: string; actor_id: string }>`
    select id, actor_id
    from tracking_events
    where parcel_id = ${parcelId}::uuid and at >= ${since}::timestamptz and actor_id is not null`.execute(db)
  return rows
}

export async function listProofs(
  db: DbOrTx,
  accountIds: readonly string[],
  parcelIds: readonly string[],
): Promise<ProofRow[]> {
  const { rows } = await sql<ProofRow>`
    select parcel_id, recipient_name, signature_path, at
    from parcel_proofs
    where account_id = any(${accountIds}::uuid[]) and parcel_id = any(${parcelIds}::uuid[])`.execute(db)
  return rows
}

export type NewProof = {
  accountId: string
  parcelId: string
  recipientName: string
  signaturePath: string | null
  at: Date
  /** Null: reported by another carrier. */
  actorId: string | null
  /** At a counter: the identity document. */
  idDocument?: string | null
  idLast4?: string | null
  codCollectedMinor?: number | null
}

/** Stores who received parcels and their signatures. A returned parcel has only the later proof. */
export function proofsWrite(proofs: readonly NewProof[]): Write {
  const values = proofs.map((proof) => ({
    account_id: proof.accountId,
    parcel_id: proof.parcelId,
    recipient_name: proof.recipientName,
    signature_path: proof.signaturePath,
    at: proof.at,
    actor_id: proof.actorId,
    id_document: proof.idDocument ?? null,
    id_last4: proof.idLast4 ?? null,
    cod_collected_minor: proof.codCollectedMinor ?? null,
  }))
  const ctes = sql`
    proofs_stored as (
      insert into parcel_proofs (
        account_id, parcel_id, recipient_name, signature_path, at, actor_id, id_document, id_last4,
        cod_collected_minor)
      select account_id, parcel_id, recipient_name, signature_path, at, actor_id, id_document, id_last4,
        cod_collected_minor
      from json_to_recordset(${JSON.stringify(values)}::json) as t(
        account_id uuid, parcel_id uuid, recipient_name text, signature_path text, at timestamptz, actor_id uuid,
        id_document text, id_last4 text, cod_collected_minor bigint)
      on conflict (account_id, parcel_id) do update
      set recipient_name = excluded.recipient_name,
        signature_path = excluded.signature_path,
        at = excluded.at,
        actor_id = excluded.actor_id,
        id_document = excluded.id_document,
        id_last4 = excluded.id_last4,
        cod_collected_minor = coalesce(excluded.cod_collected_minor, parcel_proofs.cod_collected_minor)
      returning 1
    )`
  return { ctes, cte: 'proofs_stored', expected: proofs.length, refused: () => new Error('a proof was not stored') }
}

/** The possible contents of a scan entry's detail. */
type ScanDetail = {
  /** After a scan at a wrong station: the right one. */
  right_station: { id: string; name: string } | null
  /** When the scan was recorded, if it was sent later than it was made. */
  recorded_at: Date | null
  /** Whether it stores what an undo needs. The count of a gunny does not. */
  restorable: boolean
}
export type ScanRow = Pick<TimelineRow, 'id' | 'at' | 'event' | 'status' | 'station_id' | 'place'> &
  ScanDetail & { from_status: ParcelStatus; tracking_number: string; last_event_at: Date | null }

/** The fields needed to undo a scan. */
export type WrittenEvent = Pick<
  TimelineRow,
  'parcel_id' | 'at' | 'event' | 'from_status' | 'station_id' | 'place' | 'detail'
>

/** A timeline entry, if this user wrote it. */
export async function findOwnEvent(db: DbOrTx, actorId: string, id: string): Promise<WrittenEvent | null> {
  const { rows } = await sql<WrittenEvent>`
    select parcel_id, at, event, from_status, station_id, place, detail
    from tracking_events
    where actor_id = ${actorId}::uuid and id = ${id}::uuid
    order by at desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** The newest timeline entry of a parcel. `since`: when the parcel was created. */
export async function findLastEvent(db: DbOrTx, parcelId: string, since: Date): Promise<{ id: string } | null> {
  const { rows } = await sql<{ id: string }>`
    select id
    from tracking_events
    where parcel_id = ${parcelId}::uuid and at >= ${since}::timestamptz
    order by at desc, id desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

export type LastEventRow = Pick<
  TimelineRow,
  'id' | 'at' | 'event' | 'from_status' | 'status' | 'station_id' | 'place' | 'actor_id'
> &
  ScanDetail & { next_station_id: string | null }

/** The newest timeline entry of a parcel as a scan. `since`: when the parcel was created. */
export async function findLastScan(db: DbOrTx, parcelId: string, since: Date): Promise<LastEventRow | null> {
  const { rows } = await sql<LastEventRow>`
    select id, at, event, from_status, status, station_id, place, actor_id,
      detail ->> 'nextStationId' as next_station_id,
      detail -> 'rightStation' as right_station,
      (detail ->> 'recordedAt')::timestamptz as recorded_at,
      detail -> 'heldBefore' is not null as restorable
    from tracking_events
    where parcel_id = ${parcelId}::uuid and at >= ${since}::timestamptz
    order by at desc, id desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** The latest of these events that a user wrote, newest first. */
export async function listScansByUser(
  db: DbOrTx,
  actorId: string,
  events: readonly string[],
  limit: number,
): Promise<ScanRow[]> {
  const { rows } = await sql<ScanRow>`
    select e.id, e.at, e.event, e.from_status, e.status, e.station_id, e.place, p.tracking_number, p.last_event_at,
      e.detail -> 'rightStation' as right_station,
      (e.detail ->> 'recordedAt')::timestamptz as recorded_at,
      e.detail -> 'heldBefore' is not null as restorable
    from tracking_events e
    join parcels p on p.account_id = e.account_id and p.id = e.parcel_id
    where e.actor_id = ${actorId}::uuid and e.event = any(${events}::text[]) and p.tracking_number is not null
    order by e.at desc, e.id desc
    limit ${limit}::int`.execute(db)
  return rows
}
