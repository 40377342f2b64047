// Failed deliveries, delivery choices, and parcels that wait for either.
import type { Party } from '@waybill/contract/addresses/addresses'
import type { ChoiceKind } from '@waybill/contract/parcels/failed-delivery'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import { type Selectable, sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { DeliveryChoices } from '../../../db/schema.ts'
import type { AccountId } from '../../../http/caller.ts'
import { withOtherCarrierOfP } from '../carrier-handover/queries.ts'
import type { ParcelRow } from '../queries.ts'
import { undoneEvent } from '../status.ts'

type ColumnTypes = {
  account_id: AccountId
  kind: ChoiceKind
  chosen_by: 'sender' | 'receiver' | 'system'
  receiver_before: Party | null
  price_before: PriceBreakdown | null
}
export type ChoiceRow = Omit<Selectable<DeliveryChoices>, keyof ColumnTypes> & ColumnTypes

/** Whether a parcel `p` in `fail-to-deliver` waits for the choice of its sender or receiver. */
export const isUndecidedP = sql<boolean>`
      (p.leg = 'outbound' and p.choice_made is not true and not ${withOtherCarrierOfP})`

export type FailedAttemptRow = { attempt: number; at: Date; reason: string | null }

/**
 * The failed deliveries `e` of a parcel `p` on its current leg, as a table with its condition; undone scans excluded.
 */
export const failuresOfP = sql`
      tracking_events e
      where e.parcel_id = p.id
        and e.at >= p.created_at
        and e.event = 'attempt_failed'
        and e.leg = p.leg
        and not exists (
          select 1
          from tracking_events u
          where u.parcel_id = e.parcel_id
            and u.at > e.at
            and u.event = ${undoneEvent}
            and u.detail ->> 'scanId' = e.id::text
        )`

/** The last failed delivery of a parcel on its current leg, with the number of the attempt; null if none failed. */
export async function findLastFailure(db: DbOrTx, row: ParcelRow): Promise<FailedAttemptRow | null> {
  const { rows } = await sql<FailedAttemptRow>`
    select count(*) over ()::int as attempt, e.at, e.detail ->> 'failureReason' as reason
    from parcels p
    cross join lateral (select * from ${failuresOfP}) e
    where p.id = ${row.id}::uuid
    order by e.at desc, e.id desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * A parcel of any account, for staff or a link of a mail, which is the authorisation; `lock` locks it until the
 * transaction ends.
 */
export async function findParcelOfAnyAccount(db: DbOrTx, id: string, lock: boolean): Promise<ParcelRow | null> {
  const { rows } = await sql<ParcelRow>`
    select * from parcels where id = ${id}::uuid ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ?? null
}

/** The choice that was made after an attempt; null if there is none. */
export async function choiceAfter(
  db: DbOrTx,
  accountId: AccountId,
  parcelId: string,
  attempt: number,
): Promise<ChoiceRow | null> {
  const row = await db
    .selectFrom('delivery_choices')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('parcel_id', '=', parcelId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return (row as unknown as ChoiceRow | undefined) ?? null
}

/** Inserts choices, one for each parcel and attempt; false if one of them already exists. */
export async function insertChoices(trx: DbOrTx, choices: readonly ChoiceRow[]): Promise<boolean> {
  const inserted = await trx
    .insertInto('delivery_choices')
    .values(
      choices.map((choice) => ({
        ...choice,
        receiver_before: choice.receiver_before && JSON.stringify(choice.receiver_before),
        price_before: choice.price_before && JSON.stringify(choice.price_before),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return inserted.length === choices.length
}

/** Records the order on which the fee of a choice was paid. */
export async function setPaidOrder(
  trx: DbOrTx,
  { account_id, parcel_id, attempt }: Pick<ChoiceRow, 'account_id' | 'parcel_id' | 'attempt'>,
  orderId: string,
): Promise<void> {
  await trx
    .updateTable('delivery_choices')
    .set({ paid_order_id: orderId })
    .where('account_id', '=', account_id)
    .where('parcel_id', '=', parcel_id)
    .where('attempt', '=', attempt)
    .execute()
}

/**
 * Locks parcels without a choice by the deadline, with their attempts; on a return, where there is no choice, those
 * without attempts left. Another carrier returns its parcels itself. Parcels that are locked elsewhere wait for the
 * next run.
 */
export async function listAbandonedParcels(
  trx: DbOrTx,
  by: { lastAttempt: number; failedBefore: Date; lastFailedBefore: Date },
  limit: number,
  except: readonly string[],
): Promise<(ParcelRow & { attempts: number })[]> {
  const attempts = sql`(select count(*)::int from ${failuresOfP})`
  const { rows } = await sql<ParcelRow & { attempts: number }>`
    select p.*, ${attempts} as attempts
    from parcels p
    where p.status = 'fail-to-deliver'
      and p.choice_made is not true
      and not ${withOtherCarrierOfP}
      and p.id <> all(${except}::uuid[])
      and (
        (p.leg = 'outbound' and p.last_event_at <= ${by.failedBefore}::timestamptz)
        or (p.last_event_at <= ${by.lastFailedBefore}::timestamptz and ${attempts} >= ${by.lastAttempt}::int)
      )
    order by p.id
    limit ${limit}::int
    for update of p skip locked`.execute(trx)
  return rows
}

/**
 * Locks parcels that wait for collection at a station: with `toRemind` those whose last day is at most `day` and whose
 * receivers have had no reminder, else those whose last day was before it.
 */
export async function lockWaitingParcels(
  trx: DbOrTx,
  day: string,
  toRemind: boolean,
  limit: number,
  except: readonly string[],
): Promise<ParcelRow[]> {
  const due = toRemind
    ? sql`collect_until <= ${day}::date and collect_reminded_at is null`
    : sql`collect_until < ${day}::date`
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where status = 'inbound' and collect_until is not null and ${due} and id <> all(${except}::uuid[])
    order by id
    limit ${limit}::int
    for update skip locked`.execute(trx)
  return rows
}

export async function markReminded(trx: DbOrTx, ids: readonly string[], at: Date): Promise<void> {
  await sql`update parcels set collect_reminded_at = ${at}::timestamptz where id = any(${ids}::uuid[])`.execute(trx)
}

/** The parcels among these that wait for collection now. */
export async function listCollectableParcels(db: DbOrTx, ids: readonly string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where id = any(${ids}::uuid[]) and status = 'inbound' and collect_until is not null
    order by id`.execute(db)
  return rows
}

/** The parcels among these whose delivery to the receiver has failed. */
export async function listFailedParcels(db: DbOrTx, ids: readonly string[]): Promise<ParcelRow[]> {
  const { rows } = await sql<ParcelRow>`
    select *
    from parcels
    where id = any(${ids}::uuid[]) and status = 'fail-to-deliver' and leg = 'outbound'
    order by id`.execute(db)
  return rows
}
