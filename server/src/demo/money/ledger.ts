import type { Insertable } from 'kysely'
import type { Tx } from '../../db/pool.ts'
import type { DB } from '../../db/schema.ts'
import type { Entry } from '../../domains/wallet/ledger/service.ts'
import { ledgerAccount } from '../../domains/wallet/ledger/service.ts'
import { checkEntry } from '../../domains/wallet/rules.ts'
import { insertRows } from '../rows/insert-rows.ts'
import { idFor } from '../story/random.ts'

/** An entry of the books with its moment; `name` is what its id is made from. */
export type Booking = Entry & { name: string; at: Date }

/**
 * Books entries in the order of their moments, just as the wallet's service posts them one by one: the triggers move
 * the balances.
 */
export async function book(trx: Tx, bookings: readonly Booking[]): Promise<void> {
  const entries: Insertable<DB['journal_entries']>[] = []
  const postings: Insertable<DB['journal_postings']>[] = []
  const accounts = new Map<string, Insertable<DB['ledger_accounts']>>()
  for (const booking of [...bookings].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    checkEntry(booking.postings)
    const id = idFor(`entry ${booking.name}`, booking.at)
    entries.push({
      id,
      kind: booking.kind,
      account_id: booking.accountId,
      order_id: booking.orderId ?? null,
      payment_id: booking.paymentId ?? null,
      reference: booking.reference ?? null,
      created_by: booking.actorId,
      created_at: booking.at,
    })
    const lines = booking.postings
      .filter(({ amountMinor }) => amountMinor !== 0)
      .map((posting) => ({ amountMinor: posting.amountMinor, account: ledgerAccount(posting, booking.currency) }))
      .sort((a, b) => (a.account.id < b.account.id ? -1 : 1))
    if (lines.length === 0) throw new Error(`the entry ${booking.name} has no amount`)
    for (const [line, { account, amountMinor }] of lines.entries()) {
      // An account of the books comes to be with its first entry.
      if (!accounts.has(account.id)) accounts.set(account.id, { ...account, created_at: booking.at })
      postings.push({
        entry_id: id,
        line,
        ledger_account_id: account.id,
        account_id: account.account_id,
        amount_minor: amountMinor,
        currency: booking.currency,
        created_at: booking.at,
      })
    }
  }
  await insertRows(trx, 'ledger_accounts', [...accounts.values()])
  await insertRows(trx, 'journal_entries', entries)
  await insertRows(trx, 'journal_postings', postings)
}
