/** Routes of the books and of withdrawals. */
import {
  type BookEntry,
  exportEntries,
  exportTrialBalances,
  listTrialBalances,
  proveBooks,
  searchEntries,
  type TrialBalance,
} from '@waybill/contract/wallet/ledger'
import { recordWithdrawal, returnWithdrawal } from '@waybill/contract/wallet/withdrawals'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { staff } from '../../http/caller.ts'
import { route } from '../../http/route.ts'
import { sendListSheet } from '../../http/sheets/list-sheet.ts'
import { proveBooksNow, readStoredTrialBalances, searchLedgerEntries } from './ledger/entries.ts'
import { bookReturn, bookWithdrawal } from './withdrawals.ts'

type BalanceRow = Pick<TrialBalance, 'day'> & TrialBalance['lines'][number]
type PostingRow = Omit<BookEntry, 'postings'> & { posting: BookEntry['postings'][number] }

/** Routes for staff who are responsible for the books. */
export function staffBookRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, recordWithdrawal, async ({ caller, params, body, locale, idempotency }) =>
    bookWithdrawal(deps, staff(caller), params.id, body, { locale, idempotency }),
  )
  route(app, deps, returnWithdrawal, async ({ caller, params, body, idempotency }) =>
    bookReturn(deps, staff(caller), params.id, body, idempotency),
  )
  route(app, deps, listTrialBalances, async ({ query }) => readStoredTrialBalances(deps, query))
  route(app, deps, proveBooks, async () => proveBooksNow(deps))
  route(app, deps, searchEntries, async ({ query }) => searchLedgerEntries(deps, query))
  route(app, deps, exportTrialBalances, async (call) => {
    const { query, t } = call
    return sendListSheet<BalanceRow>(deps, call, {
      file: 'trial-balance',
      title: 'financePage.trial',
      columns: [
        { header: t('cashPage.day'), kind: 'day', value: ({ day }) => day },
        { header: t('trial.book'), kind: 'text', width: 24, value: ({ kind }) => t(`book.${kind}`) },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ currency }) => currency },
        { header: t('trial.debit'), kind: 'money', value: ({ debitMinor }) => debitMinor },
        { header: t('trial.credit'), kind: 'money', value: ({ creditMinor }) => creditMinor },
        { header: t('trial.balance'), kind: 'money', value: ({ creditMinor, debitMinor }) => debitMinor - creditMinor },
      ],
      read: async () => {
        const { items } = await readStoredTrialBalances(deps, query)
        return { items: items.flatMap(({ day, lines }) => lines.map((line) => ({ day, ...line }))), next: null }
      },
    })
  })
  route(app, deps, exportEntries, async (call) => {
    const { query, t } = call
    return sendListSheet<PostingRow>(deps, call, {
      file: 'movements',
      title: 'financePage.movements',
      columns: [
        { header: t('entries.id'), kind: 'text', width: 38, value: ({ id }) => id },
        { header: t('cashDoc.at'), kind: 'time', value: ({ at }) => new Date(at) },
        { header: t('entries.movement'), kind: 'text', width: 24, value: ({ kind }) => t(`movement.${kind}`) },
        { header: t('fields.reference'), kind: 'text', width: 24, value: ({ reference }) => reference },
        { header: t('cashDoc.by'), kind: 'text', width: 24, value: ({ by, accountName }) => by ?? accountName },
        { header: t('trial.book'), kind: 'text', width: 24, value: ({ posting }) => t(`book.${posting.book}`) },
        {
          header: t('financePage.account'),
          kind: 'text',
          width: 28,
          value: ({ posting }) => posting.accountName ?? posting.stationName,
        },
        { header: t('fields.currency'), kind: 'text', width: 8, value: ({ posting }) => posting.currency },
        { header: t('financePage.amount'), kind: 'money', value: ({ posting }) => posting.amountMinor },
      ],
      read: async (window) => {
        const { items, next } = await searchLedgerEntries(deps, { ...query, ...window, before: undefined })
        const rows = items.flatMap(({ postings, ...entry }) => postings.map((posting) => ({ ...entry, posting })))
        return { items: rows, next }
      },
    })
  })
}
