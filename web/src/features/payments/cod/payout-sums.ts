import type { CodOwed } from '@waybill/contract/payments/cod-payouts'

type Owed = Pick<CodOwed, 'owedMinor' | 'feeMinor' | 'withRidersMinor'>

/** What a payout to these senders pays, its fees, and the part of the money that riders have not handed in yet. */
export function payoutSums(rows: readonly Owed[]) {
  const sum = (of: (row: Owed) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    totalSeenMinor: sum(({ owedMinor }) => owedMinor),
    feesSeenMinor: sum(({ feeMinor }) => feeMinor),
    withRidersMinor: sum(({ withRidersMinor }) => withRidersMinor),
  }
}
