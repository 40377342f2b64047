/** What accounts pay by: a rate card of their own, a discount. Prices decide what they mean; here they are kept. */
import type { DiscountType, UserType } from '@waybill/contract/ground/enums'
import { parseSort } from '@waybill/contract/ground/paging'
import type { DbOrTx } from '../../../db/pool.ts'
import {
  type ConditionsRow,
  countByRateCard,
  findConditions,
  listConditionRows,
  updateConditions,
} from './queries-conditions.ts'

/** `discount`: minor units, or basis points of the freight. */
export type AccountTerms = {
  rateCardCode: string | null
  discount: { type: DiscountType; value: number } | null
}
export type ConditionsOfAccount = AccountTerms & {
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

export async function listConditions(
  db: DbOrTx,
  { search, special, sort, offset, limit }: ConditionsQuery,
): Promise<{ items: ConditionsOfAccount[]; total: number }> {
  const text = search?.trim().toLowerCase()
  const filter = {
    pattern: text ? `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` : null,
    special: special === undefined ? null : special === 'true',
  }
  const descending = parseSort(sort)[0]?.descending ?? false
  const { rows, total } = await listConditionRows(db, filter, { descending, offset, limit })
  return { items: rows.map(present), total }
}

export async function findAccountConditions(db: DbOrTx, id: string): Promise<ConditionsOfAccount | null> {
  const row = await findConditions(db, id)
  return row ? present(row) : null
}

/** False when `version` is not the account's present one. */
export async function saveConditions(
  trx: DbOrTx,
  id: string,
  version: number,
  { rateCardCode, discount }: AccountTerms,
  at: Date,
): Promise<boolean> {
  const set = { rateCardCode, discountType: discount?.type ?? null, discountValue: discount?.value ?? 0 }
  return updateConditions(trx, id, version, set, at)
}

/** How many accounts have a rate card of their own, by its code. */
export async function accountsByRateCard(db: DbOrTx): Promise<Map<string, number>> {
  return new Map((await countByRateCard(db)).map(({ code, accounts }) => [code, accounts]))
}
