// Failed deliveries with the choices that followed, for the work list of staff.
import type { failedDeliveryTabs } from '@waybill/contract/parcels/rider-tasks'
import { sql } from 'kysely'
import type { DbOrTx } from '../../../db/pool.ts'
import type { AccountId } from '../../../http/caller.ts'
import { withOtherCarrierOfP } from '../carrier-handover/queries.ts'
import type { ParcelRow } from '../queries.ts'
import { type ChoiceRow, failuresOfP, isUndecidedP } from './queries.ts'

export type FailedDeliveryTab = (typeof failedDeliveryTabs)[number]

/** The latest failed delivery of a parcel on its leg, with the choice that followed it. */
export type FailureRow = Pick<ParcelRow, 'status' | 'leg' | 'choice_made'> & {
  parcel_id: string
  with_other_carrier: boolean
  attempt: number
  failed_at: Date
  reason: string | null
  note: string | null
  kind: ChoiceRow['kind'] | null
  chosen_by: ChoiceRow['chosen_by'] | null
  chosen_by_user: string | null
  chosen_at: Date | null
  retry_on: string | null
  chosen_station_id: string | null
}

/** A row of the work list: the failure, and the parcel's data that a rider needs. */
export type FailedParcelRow = FailureRow &
  Pick<ParcelRow, 'sender' | 'receiver' | 'collection_mode' | 'cod_amount_minor' | 'currency' | 'rider_id'> & {
    tracking_number: string
  }

const columns = sql`
      p.id as parcel_id, p.status, p.leg, p.choice_made, ${withOtherCarrierOfP} as with_other_carrier,
      f.attempt, f.at as failed_at, f.reason, f.note,
      c.kind, c.chosen_by, c.user_id as chosen_by_user, c.at as chosen_at, c.retry_on,
      c.station_id as chosen_station_id`

// A choice has the number of its attempt on the outbound leg. On a return there are none.
const withFailure = sql`
    parcels p
    cross join lateral (
      select count(*) over ()::int as attempt, e.at, e.detail ->> 'failureReason' as reason, e.note
      from ${failuresOfP}
      order by e.at desc, e.id desc
      limit 1
    ) f
    left join delivery_choices c
      on c.account_id = p.account_id and c.parcel_id = p.id and c.attempt = f.attempt and p.leg = 'outbound'`

/** The latest failure of each of these parcels on its current leg. */
export async function listFailureRows(db: DbOrTx, ids: readonly string[]): Promise<FailureRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<FailureRow>`
    select ${columns}
    from ${withFailure}
    where p.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

export type FailedFilter = {
  /** Null: all stations. */
  stationId: string | null
  today: string
  maxAttempts: number
}

/** Failed parcels of our own riders with their tabs: `mayTryAgain` as SQL, and the chosen day. */
const selectWithTab = ({ stationId, today, maxAttempts }: FailedFilter) => sql`
      select ${columns},
        p.tracking_number, p.sender, p.receiver, p.collection_mode, p.cod_amount_minor, p.currency, p.rider_id,
        case
          when p.leg = 'return' then case when f.attempt < ${maxAttempts}::int then 'due' else 'waiting' end
          when p.choice_made is not true then 'waiting'
          when c.retry_on > ${today}::date then 'later'
          else 'due'
        end as tab
      from ${withFailure}
      where p.status = 'fail-to-deliver'
        and not ${withOtherCarrierOfP}
        and ${stationId === null ? sql`true` : sql`p.station_id = ${stationId}::uuid`}`

/** A page of a tab, the most urgent first: the earliest chosen day, or the earliest deadline of a choice. */
export async function listFailedRows(
  db: DbOrTx,
  filter: FailedFilter,
  tab: FailedDeliveryTab,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: FailedParcelRow[]; counts: Record<FailedDeliveryTab, number> }> {
  const [page, tabs] = await Promise.all([
    sql<FailedParcelRow>`
      select *
      from (${selectWithTab(filter)}) g
      where g.tab = ${tab}
      order by case when g.tab = 'waiting' then g.attempt < ${filter.maxAttempts}::int end,
        g.retry_on nulls first, g.failed_at, g.parcel_id
      limit ${limit}::int offset ${offset}::int`.execute(db),
    sql<{ tab: FailedDeliveryTab; count: number }>`
      select g.tab, count(*)::int as count
      from (${selectWithTab(filter)}) g
      group by g.tab`.execute(db),
  ])
  const counts = { due: 0, later: 0, waiting: 0 }
  for (const { tab: name, count } of tabs.rows) counts[name] = count
  return { rows: page.rows, counts }
}

/**
 * Counts the failed deliveries that wait for the choice of what happens next; `createdBy` null: of all users of the
 * account. Counting stops at `limit`.
 */
export async function countUndecided(
  db: DbOrTx,
  { accountId, createdBy }: { accountId: AccountId; createdBy: string | null },
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (
      select 1
      from parcels p
      where p.account_id = ${accountId}::uuid
        and (${createdBy}::uuid is null or p.created_by = ${createdBy}::uuid)
        and p.status = 'fail-to-deliver'
        and ${isUndecidedP}
      limit ${limit}::int
    ) u`.execute(db)
  return rows[0]?.count ?? 0
}
