/** The books for staff: trial balances, and every entry with its postings. */

import type { QueryOf, ResponseOf } from '@waybill/contract/ground/endpoint'
import { countLimit } from '@waybill/contract/ground/paging'
import type { BookEntry, listTrialBalances, proveBooks, searchEntries } from '@waybill/contract/wallet/ledger'
import { readKeysetPage } from '../../../db/keyset.ts'
import type { Deps } from '../../../deps.ts'
import { accountNames, findStaffNames } from '../../accounts/service.ts'
import { findStationsById } from '../../stations/service.ts'
import { checkBooks } from './books.ts'
import { trialBalances } from './queries-books.ts'
import { countEntries, type EntryFilter, listEntryRows, listPostings } from './queries-entries.ts'

/** The stored trial balances, newest first. */
export async function readStoredTrialBalances(
  deps: Deps,
  { days }: QueryOf<typeof listTrialBalances>,
): Promise<ResponseOf<typeof listTrialBalances>> {
  const rows = await trialBalances(deps.db, days)
  return {
    items: rows.map(({ day, checked_at, lines, problems }) => ({
      day,
      checkedAt: checked_at.toISOString(),
      lines,
      problems,
    })),
  }
}

/** Verifies the books now. */
export async function proveBooksNow(deps: Deps): Promise<ResponseOf<typeof proveBooks>> {
  const report = await checkBooks(deps.db)
  const { entries, postings, wallets, lines, problems } = report ?? {
    entries: 0,
    postings: 0,
    wallets: 0,
    lines: [],
    problems: [],
  }
  return { day: null, checkedAt: deps.clock.now().toISOString(), entries, postings, wallets, lines, problems }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Parses a search: an id, or the beginning of a number. */
function readReference(search: string | undefined): EntryFilter['ref'] {
  const text = search?.trim() ?? ''
  if (text === '') return null
  return uuid.test(text) ? { id: text } : { begins: text }
}

/** Entries of the books, newest first, with the names of the users in them. */
export async function searchLedgerEntries(
  deps: Deps,
  query: QueryOf<typeof searchEntries>,
): Promise<ResponseOf<typeof searchEntries>> {
  const { db, settings } = deps
  const filter: EntryFilter = {
    ref: readReference(query.search),
    accountId: query.accountId ?? null,
    kind: query.kind ?? null,
    book: query.book ?? null,
    amountMinor: query.amountMinor ?? null,
    from: query.from ?? null,
    to: query.to ?? null,
    timeZone: settings.get('timezone'),
  }
  const [{ rows, next, previous }, total] = await Promise.all([
    readKeysetPage(query, (from) => listEntryRows(db, filter, from)),
    countEntries(db, filter, countLimit),
  ])
  const postings = await listPostings(
    db,
    rows.map(({ id }) => id),
  )
  const ids = <T>(values: readonly (T | null)[]) => [...new Set(values.flatMap((value) => value ?? []))] as T[]
  const [accounts, stations, people] = await Promise.all([
    accountNames(db, ids([...rows, ...postings].map(({ account_id }) => account_id))),
    findStationsById(db, ids(postings.map(({ station_id }) => station_id))),
    findStaffNames(db, ids(rows.map(({ created_by }) => created_by))),
  ])
  const items: BookEntry[] = rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    kind: row.kind,
    reference: row.reference,
    orderId: row.order_id,
    paymentId: row.payment_id,
    accountName: accounts.get(row.account_id ?? '') ?? null,
    by: people.get(row.created_by ?? '') ?? null,
    returnable: row.returnable,
    postings: postings
      .filter(({ entry_id }) => entry_id === row.id)
      .map((posting) => ({
        book: posting.book,
        accountName: accounts.get(posting.account_id ?? '') ?? null,
        stationName: stations.get(posting.station_id ?? '')?.name ?? null,
        amountMinor: posting.amount_minor,
        currency: posting.currency,
        balanceAfterMinor: posting.balance_after_minor,
      })),
  }))
  return { items, total, limit: query.limit, next, previous }
}
