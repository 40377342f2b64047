/** An account's conditions: its own rate card and a discount. They are stored here and interpreted by pricing. */

import type { DiscountType, UserType } from '@waybill/contract/ground/enums/enums'
import { parseSort } from '@waybill/contract/ground/paging'
import { containing } from '../../../db/conditions/like.ts'
import type { DbOrTx } from '../../../db/pool.ts'
import {
  type ConditionsRow,
  countByRateCard,
  listConditionRows,
  type TermsSet,
  updateAccountTerms,
} from './queries-conditions.ts'

/** `discount`: minor units, or basis points of the freight. */
export type PricingTerms = {
  rateCardCode: string | null
  discount: { type: DiscountType; value: number } | null
}
export type ConditionsOfAccount = PricingTerms & {
  id: string
  name: string
  userType: UserType
  email: string | null
  version: number
}

const present = ({ discountType, discountValue, ...row }: ConditionsRow): ConditionsOfAccount => ({
  ...row,
  discount: discountType === null ? null : { type: discountType, value: discountValue },
})

type ConditionsQuery = {
  search?: string | undefined
  special?: 'true' | 'false' | undefined
  sort?: string | undefined
  offset: number
  limit: number
}

/** A page of accounts with their conditions. */
export async function listConditions(
  db: DbOrTx,
  { search, special, sort, offset, limit }: ConditionsQuery,
): Promise<{ items: ConditionsOfAccount[]; total: number }> {
  const text = search?.trim().toLowerCase()
  const filter = {
    pattern: text ? containing(text) : null,
    special: special === undefined ? null : special === 'true',
  }
  const descending = parseSort(sort)[0]?.descending ?? false
  const { rows, total } = await listConditionRows(db, filter, { descending, offset, limit })
  return { items: rows.map(present), total }
}

/** Stores pricing, credit terms or both. False if `version` is outdated. */
export async function saveTerms(
  trx: DbOrTx,
  id: string,
  version: number,
  { pricing, credit }: { pricing?: PricingTerms | undefined; credit?: TermsSet['credit'] },
  at: Date,
): Promise<boolean> {
  const set = pricing && {
    rateCardCode: pricing.rateCardCode,
    discountType: pricing.discount?.type ?? null,
    discountValue: pricing.discount?.value ?? 0,
  }
  return updateAccountTerms(trx, id, version, { pricing: set, credit }, at)
}

/** The number of accounts per assigned rate card, by its code. */
export async function countAccountsByRateCard(db: DbOrTx): Promise<Map<string, number>> {
  return new Map((await countByRateCard(db)).map(({ code, accounts }) => [code, accounts]))
}
