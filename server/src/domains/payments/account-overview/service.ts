/** Money, latest orders and latest parcels of an account, as its owner would see them. */
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { AccountMoney, getAccountLatest } from '@waybill/contract/payments/account-overview'
import type { Deps } from '../../../deps.ts'
import { requireOwnerCaller } from '../../accounts/directory/service.ts'
import { findAccountById } from '../../accounts/service.ts'
import { overdueIn } from '../../orders/monthly-billing/rules.ts'
import { computeDebts } from '../../orders/monthly-billing/service.ts'
import { readStatements } from '../../orders/monthly-billing/statements.ts'
import { readOrders } from '../../orders/service.ts'
import { parcelList } from '../../parcels/list/reads.ts'
import { getWalletBalance } from '../../wallet/ledger/service.ts'
import { readOutstanding } from '../outstanding/pay-outstanding.ts'

const latestStatements = 6
const latestRows = 5

/** Balance and debts of an account. Throws not_found. */
export async function readAccountMoney(deps: Deps, id: string): Promise<AccountMoney> {
  const owner = await requireOwnerCaller(deps, id)
  const currency = deps.settings.get('currency')
  const corporate = owner.userType === 'corporate'
  const [walletMinor, outstanding, account, debts, statements] = await Promise.all([
    getWalletBalance(deps.db, owner.accountId, currency),
    readOutstanding(deps, owner, { offset: 0, limit: 1 }),
    findAccountById(deps.db, owner.accountId),
    corporate ? computeDebts(deps, deps.db, [owner.accountId]) : null,
    corporate ? readStatements(deps, owner, { offset: 0, limit: latestStatements }) : null,
  ])
  const debt = debts?.get(owner.accountId)
  return {
    currency,
    walletMinor,
    outstandingMinor: outstanding.totalDueMinor,
    billing: debt
      ? {
          limitMinor: account?.credit_limit_minor ?? 0,
          usedMinor: debt.owedMinor,
          overdueMinor: overdueIn(debt.ageing),
          ageing: debt.ageing,
        }
      : null,
    statements: statements?.items ?? [],
  }
}

/** The latest orders and parcels of an account. Throws not_found. */
export async function readLatest(deps: Deps, id: string): Promise<ResponseOf<typeof getAccountLatest>> {
  const owner = await requireOwnerCaller(deps, id)
  const page = { offset: 0, limit: latestRows }
  const [orders, parcels] = await Promise.all([
    readOrders(deps, owner, page),
    parcelList(deps, owner, { ...page, tab: 'all' }),
  ])
  return { orders: orders.items, parcels: parcels.items }
}
