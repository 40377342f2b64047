// Today's price of a row.
import type { ParcelInput } from '@waybill/contract/parcels/parcels'
import { AppError } from '../../../http/errors.ts'
import type { KeptProblem } from '../bulk/queries-rows.ts'
import { contentColumns } from '../cart/input.ts'
import { findLongAddress, priceColumns } from '../cart/prices.ts'
import type { ParcelRow } from '../queries.ts'
import type { PriceAnswer, RowContext } from './context.ts'
import { toCellProblem } from './contract-problems.ts'

type RowPrice = { row: ParcelRow; price: Awaited<ReturnType<typeof priceColumns>> }

const maxPrices = 20_000

/** The columns of a row's parcel with today's price, or the reason why it has none. */
export async function priceRow(context: RowContext, input: ParcelInput): Promise<RowPrice | KeptProblem> {
  const row = contentColumns(context.deps, input) as unknown as ParcelRow
  const { scope, serviceType, carrier, deliveryMode, sender, receiver, weightGrams, dimensions: size } = input
  const key = [
    ...[scope, serviceType, carrier, deliveryMode],
    ...[sender?.country, sender?.postcode, receiver?.country, receiver?.postcode],
    row.self_collection_station_id,
    findLongAddress(row),
    ...[weightGrams, size?.lengthMm, size?.widthMm, size?.heightMm, row.insured_value_minor, row.cod_amount_minor],
  ].join('|')
  let answer = context.prices.get(key)
  if (!answer) {
    answer = await priceOrProblem(context, row)
    if (context.prices.size < maxPrices) context.prices.set(key, answer)
  }
  return 'price' in answer ? { row, price: answer } : answer
}

async function priceOrProblem(context: RowContext, row: ParcelRow): Promise<PriceAnswer> {
  try {
    return await priceColumns(context.deps, row, context.account)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal') throw error
    const [problem] = error.extra.fields ?? []
    if (!problem) throw error
    return toCellProblem(problem, [])
  }
}
