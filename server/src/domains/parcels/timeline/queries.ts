import type { DeliveryMode, Leg, ParcelStatus, ServiceType } from '@waybill/contract/ground/enums'
import { sql } from 'kysely'
import type pg from 'pg'
import type { DbOrTx } from '../../../db/pool.ts'

/** What public tracking needs of a parcel: no name, phone, street or money is even read. */
export type JourneyRow = {
  tracking_number: string
  status: ParcelStatus
  handed_over: boolean
  leg: Leg
  service_type: ServiceType | null
  delivery_mode: DeliveryMode | null
  origin: string | null
  destination: string | null
  expected_date: string | null
  promised_date: string | null
  collect_until: string | null
  /** [at (epoch milliseconds), event, status, place], newest first. */
  events: [number, string, ParcelStatus, string | null][]
}

// No event is older than its parcel or younger than its last one, which spares the partitions of the other months.
const journeys = (condition: string) => `
  select p.tracking_number, p.status, p.handed_over, p.leg, p.service_type, p.delivery_mode, p.sender ->> 'city' as origin,
    p.receiver ->> 'city' as destination, p.expected_date, p.promised_date, p.collect_until,
    (select coalesce(json_agg(json_build_array((date_part('epoch', e.at) * 1000)::bigint, e.event, e.status, e.place)
        order by e.at desc, e.id desc), '[]')
      from tracking_events e
      where e.parcel_id = p.id and e.at >= p.created_at and e.at < coalesce(p.last_event_at, now()) + interval '1 second') as events
  from parcels p where ${condition}`

// One number by equality: only so does PostgreSQL keep its plan, which takes longer to make than to carry out.
const oneJourney = journeys('p.tracking_number = $1')
const manyJourneys = journeys('p.tracking_number = any($1::text[])')

/** Reads journeys by number; answers those that there are, in no order. */
export type JourneyReader = (numbers: readonly string[]) => Promise<JourneyRow[]>

/** Queries under way at a time, and numbers in one. */
const atOnce = 2
const mostNumbers = 200

/**
 * Public tracking is the call that strangers make most. Straight on the pool, and those who ask while a query is under
 * way share the next one: a busy minute costs the database few queries, a quiet one nobody any waiting. Nothing is
 * kept: whoever asks gets what is true after they asked.
 */
export function journeyReader(pool: pg.Pool): JourneyReader {
  type Waiting = { numbers: readonly string[]; resolve(rows: JourneyRow[]): void; reject(error: unknown): void }
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
      (batch.length === 0 || numbers.size + (waiting[0]?.numbers.length ?? 0) <= mostNumbers)
    ) {
      const first = waiting.shift() as Waiting
      for (const number of first.numbers) numbers.add(number)
      batch.push(first)
    }
    running++
    try {
      const found = new Map((await query([...numbers])).map((row) => [row.tracking_number, row]))
      for (const { numbers, resolve } of batch) resolve(numbers.flatMap((number) => found.get(number) ?? []))
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

export type EventRow = {
  parcel_id: string
  id: string
  at: Date
  event: string
  from_status: ParcelStatus | null
  status: ParcelStatus
  leg: Leg
  place: string | null
  station_id: string | null
  note: string | null
  detail: Record<string, unknown>
}
export type ProofRow = { parcel_id: string; recipient_name: string; signature_path: string | null; at: Date }

/** The timelines of parcels, newest first. `since`: when the oldest of them was made. */
export async function eventsOfParcels(db: DbOrTx, parcelIds: readonly string[], since: Date): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select parcel_id, id, at, event, from_status, status, leg, place, station_id, note, detail from tracking_events
    where parcel_id = any(${parcelIds}::uuid[]) and at >= ${since}::timestamptz
    order by at desc, id desc`.execute(db)
  return rows
}

export async function proofsOfParcels(
  db: DbOrTx,
  accountIds: readonly string[],
  parcelIds: readonly string[],
): Promise<ProofRow[]> {
  const { rows } = await sql<ProofRow>`
    select parcel_id, recipient_name, signature_path, at from parcel_proofs
    where account_id = any(${accountIds}::uuid[]) and parcel_id = any(${parcelIds}::uuid[])`.execute(db)
  return rows
}

/** Keeps who took a parcel and what they signed; a parcel that came back has the later one. */
export async function saveProof(
  trx: DbOrTx,
  proof: {
    accountId: string
    parcelId: string
    recipientName: string
    signaturePath: string | null
    at: Date
    /** Null: a carrier told it. */
    actorId: string | null
    /** What somebody showed who collected it, and what they paid. */
    idDocument?: string | null
    idLast4?: string | null
    codCollectedMinor?: number | null
  },
): Promise<void> {
  const { idDocument = null, idLast4 = null, codCollectedMinor = null } = proof
  await sql`
    insert into parcel_proofs (account_id, parcel_id, recipient_name, signature_path, at, actor_id, id_document, id_last4, cod_collected_minor)
    values (${proof.accountId}, ${proof.parcelId}, ${proof.recipientName}, ${proof.signaturePath}, ${proof.at}, ${proof.actorId},
      ${idDocument}, ${idLast4}, ${codCollectedMinor})
    on conflict (account_id, parcel_id) do update set recipient_name = excluded.recipient_name, signature_path = excluded.signature_path,
      at = excluded.at, actor_id = excluded.actor_id, id_document = excluded.id_document, id_last4 = excluded.id_last4,
      cod_collected_minor = coalesce(excluded.cod_collected_minor, parcel_proofs.cod_collected_minor)`.execute(trx)
}

export type ScanRow = {
  id: string
  at: Date
  event: string
  from_status: ParcelStatus
  status: ParcelStatus
  station_id: string | null
  place: string | null
  tracking_number: string
  last_event_at: Date | null
  /** Of a scan at a wrong station: the right one. */
  right_station: { id: string; name: string } | null
  /** Where a scan was sent later than it was made: when it came in. */
  recorded_at: Date | null
}

/** What somebody wrote into a timeline, as it is needed to take it back. */
export type WrittenEvent = {
  parcel_id: string
  at: Date
  event: string
  from_status: ParcelStatus | null
  station_id: string | null
  place: string | null
  detail: Record<string, unknown>
}

/** A line of a timeline that this person wrote; null for others'. */
export async function findOwnEvent(db: DbOrTx, actorId: string, id: string): Promise<WrittenEvent | null> {
  const { rows } = await sql<WrittenEvent>`
    select parcel_id, at, event, from_status, station_id, place, detail from tracking_events
    where actor_id = ${actorId}::uuid and id = ${id}::uuid order by at desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** The newest line of a parcel's timeline. `since`: when the parcel was made. */
export async function findLastEvent(db: DbOrTx, parcelId: string, since: Date): Promise<{ id: string } | null> {
  const { rows } = await sql<{ id: string }>`
    select id from tracking_events where parcel_id = ${parcelId}::uuid and at >= ${since}::timestamptz
    order by at desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}

export type LastEventRow = Omit<ScanRow, 'tracking_number' | 'last_event_at' | 'from_status'> & {
  from_status: ParcelStatus | null
  actor_id: string | null
  next_station_id: string | null
}

/** The newest line of a parcel's timeline, with who wrote it and where. `since`: when the parcel was made. */
export async function findLastScan(db: DbOrTx, parcelId: string, since: Date): Promise<LastEventRow | null> {
  const { rows } = await sql<LastEventRow>`
    select id, at, event, from_status, status, station_id, place, actor_id,
      detail ->> 'nextStationId' as next_station_id, detail -> 'rightStation' as right_station,
      (detail ->> 'recordedAt')::timestamptz as recorded_at
    from tracking_events
    where parcel_id = ${parcelId}::uuid and at >= ${since}::timestamptz
    order by at desc, id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** The latest events among `events` that somebody wrote, newest first. */
export async function listScansByUser(
  db: DbOrTx,
  actorId: string,
  events: readonly string[],
  limit: number,
): Promise<ScanRow[]> {
  const { rows } = await sql<ScanRow>`
    select e.id, e.at, e.event, e.from_status, e.status, e.station_id, e.place, p.tracking_number, p.last_event_at,
      e.detail -> 'rightStation' as right_station, (e.detail ->> 'recordedAt')::timestamptz as recorded_at
    from tracking_events e join parcels p on p.account_id = e.account_id and p.id = e.parcel_id
    where e.actor_id = ${actorId}::uuid and e.event = any(${events}::text[]) and p.tracking_number is not null
    order by e.at desc, e.id desc limit ${limit}::int`.execute(db)
  return rows
}
