/** Queries of the monthly statement. */
import { addMonths } from '@waybill/contract/ground/days'
import type { Movement } from '@waybill/contract/wallet/wallet'
import { sql } from 'kysely'
import { dayBegin } from '../../db/conditions/local-days.ts'
import type { DbOrTx } from '../../db/pool.ts'

/** A month (`YYYY-MM`) in a time zone. */
export type Month = { month: string; timeZone: string }

const begin = ({ month, timeZone }: Month) => dayBegin(`${month}-01`, timeZone)
const end = ({ month, timeZone }: Month) => dayBegin(`${addMonths(month, 1)}-01`, timeZone)

/** A wallet's balance at the beginning and the end of a month, and the sums in and out. Minor units. */
export async function monthTotals(
  db: DbOrTx,
  ledgerAccountId: string,
  month: Month,
): Promise<{ opening: number; closing: number; came: number; went: number }> {
  const { rows } = await sql<{ opening: number; closing: number; came: number; went: number }>`
    select coalesce(sum(amount_minor) filter (where created_at < ${begin(month)}), 0)::bigint as opening,
      coalesce(sum(amount_minor), 0)::bigint as closing,
      coalesce(
        sum(amount_minor) filter (where created_at >= ${begin(month)} and amount_minor > 0), 0
      )::bigint as came,
      coalesce(
        -sum(amount_minor) filter (where created_at >= ${begin(month)} and amount_minor < 0), 0
      )::bigint as went
    from journal_postings
    where ledger_account_id = ${ledgerAccountId}::uuid and created_at < ${end(month)}`.execute(db)
  return rows[0] ?? { opening: 0, closing: 0, came: 0, went: 0 }
}

export type WalletStatementRow = {
  seq: number
  at: Date
  kind: Movement['kind']
  reference: string | null
  amount_minor: number
}

/** Movements of a month after number `after`, in the order of posting. */
export async function monthMovements(
  db: DbOrTx,
  ledgerAccountId: string,
  month: Month,
  after: number,
  limit: number,
): Promise<WalletStatementRow[]> {
  const { rows } = await sql<WalletStatementRow>`
    select p.seq, p.created_at as at, e.kind, e.reference, p.amount_minor
    from journal_postings p
    join journal_entries e on e.id = p.entry_id
    where p.ledger_account_id = ${ledgerAccountId}::uuid
      and p.seq > ${after}::bigint
      and p.created_at >= ${begin(month)}
      and p.created_at < ${end(month)}
    order by p.seq
    limit ${limit}`.execute(db)
  return rows
}
