/** Routes of the books. */
import { listTrialBalances, proveBooks, searchEntries } from '@waybill/contract/wallet/ledger'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { route } from '../../http/route.ts'
import { keptTrialBalances, proveBooksNow, searchLedgerEntries } from './ledger/entries.ts'

/** For staff who are responsible for the books. */
export function staffBookRoutes(app: FastifyInstance, deps: Deps): void {
  route(app, deps, listTrialBalances, async ({ query }) => keptTrialBalances(deps, query))
  route(app, deps, proveBooks, async () => proveBooksNow(deps))
  route(app, deps, searchEntries, async ({ query }) => searchLedgerEntries(deps, query))
}
