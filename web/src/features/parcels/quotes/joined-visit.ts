import type { ServiceQuote } from '@waybill/contract/pricing/pricing'

/**
 * The quote of a parcel whose pickup joins a booked visit: without the pickup fee and its tax, as it will be paid. The
 * line `pickup` stays, with 0, because its absence would look like a drop-off.
 */
export function joinVisit(quote: ServiceQuote): ServiceQuote {
  const { price, pickupFeeMinor } = quote
  if (!price || pickupFeeMinor === 0) return quote
  const netMinor = price.lines.find(({ kind }) => kind === 'pickup')?.amountMinor ?? 0
  const taxMinor = pickupFeeMinor - netMinor
  const lines = price.lines.map((line) =>
    line.kind === 'pickup'
      ? { ...line, amountMinor: 0 }
      : line.kind === 'tax'
        ? { ...line, amountMinor: line.amountMinor - taxMinor }
        : line,
  )
  // A drop-off would only save the fee, which is not charged anyway.
  const hints = quote.hints.filter(({ kind }) => kind !== 'delivery_mode')
  return {
    ...quote,
    hints,
    pickupFeeMinor: 0,
    price: { ...price, lines, totalMinor: price.totalMinor - pickupFeeMinor },
  }
}
