/** Computes the stored price of a parcel again, from its inputs and its version of the rate card. */
import type { PriceReplay } from '@waybill/contract/pricing/price-replay'
import type { PriceBreakdown } from '@waybill/contract/pricing/pricing'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { findCardVersion, getRates } from '../../pricing/rate-cards/rates.ts'
import { differenceLines } from '../../pricing/reprice.ts'
import { replayPrice } from '../../pricing/service.ts'
import { paidPrice } from '../cart/share-pickup.ts'
import { findParcelForStaff } from '../scanning/reads.ts'

/** The price of a parcel as it was paid, and computed again. Throws not_found. */
export async function computePriceAgain(deps: Deps, no: string): Promise<PriceReplay> {
  const row = await findParcelForStaff(deps, no)
  const price = row && paidPrice(row)
  if (!price) throw new AppError('not_found')
  const [rates, replayed] = await Promise.all([getRates(deps), replayPrice(deps, price)])
  const card = findCardVersion(rates, price.rateCard.code, price.rateCard.version)
  return {
    price,
    validity: card && { from: card.validFrom, to: card.validTo },
    result: compare(price, replayed),
    replayed: replayed && { lines: replayed.lines, totalMinor: replayed.totalMinor },
  }
}

function compare(price: PriceBreakdown, replayed: PriceBreakdown | null): PriceReplay['result'] {
  if (!replayed) return 'impossible'
  const isSame = price.totalMinor === replayed.totalMinor && differenceLines(price, replayed).length === 0
  return isSame ? 'same' : 'different'
}
