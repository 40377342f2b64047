// Today's price of a row.
import type { ParcelInput } from '@waybill/contract/parcels/parcels'
import { AppError } from '../../../http/errors.ts'
import type { KeptProblem } from '../bulk/queries-rows.ts'
import { contentColumns } from '../cart/input.ts'
import { findLongAddress, priceColumns } from '../cart/prices.ts'
import type { ParcelRow } from '../queries.ts'
import type { PriceAnswer, Setting } from './context.ts'
import { toCellProblem } from './contract-problems.ts'

type Priced = { row: ParcelRow; price: Awaited<ReturnType<typeof priceColumns>> }

const maxPrices = 20_000

/** The columns of a row's parcel with today's price, or the reason why it has none. */
export async function priceRow(setting: Setting, input: ParcelInput): Promise<Priced | KeptProblem> {
  const row = contentColumns(setting.deps, input) as unknown as ParcelRow
  const { scope, serviceType, carrier, deliveryMode, sender, receiver, weightGrams, dimensions: size } = input
  const key = [
    ...[scope, serviceType, carrier, deliveryMode],
    ...[sender?.country, sender?.postcode, receiver?.country, receiver?.postcode],
    row.self_collection_station_id,
    findLongAddress(row),
    ...[weightGrams, size?.lengthMm, size?.widthMm, size?.heightMm, row.insured_value_minor, row.cod_amount_minor],
  ].join('|')
  let answer = setting.prices.get(key)
  if (!answer) {
    answer = await priceOrProblem(setting, row)
    if (setting.prices.size < maxPrices) setting.prices.set(key, answer)
  }
  return 'price' in answer ? { row, price: answer } : answer
}

async function priceOrProblem(setting: Setting, row: ParcelRow): Promise<PriceAnswer> {
  try {
    return await priceColumns(setting.deps, row, setting.account)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal') throw error
    const [problem] = error.extra.fields ?? []
    if (!problem) throw error
    return toCellProblem(problem, [])
  }
}
