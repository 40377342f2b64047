import { hasPostcode } from '@waybill/contract/ground/address-forms'
import { postcode } from '@waybill/contract/ground/fields'
import { type Dimensions, dimensions, weightGrams } from '@waybill/contract/ground/measures'
import { priceServices, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useEffect, useMemo, useState } from 'react'
import { useCall } from '../../../lib/query.ts'
import { customsValue, isAbroad, needsCustoms, type ParcelValues } from '../new-parcel/parcel-values.ts'

const settleMs = 300
const none: readonly ServiceQuote[] = []

/** What a price needs at least. */
export type Needed = 'from' | 'to' | 'weight'

export type Quotes = {
  /** Which of the three still miss; empty once there is something to ask. */
  missing: readonly Needed[]
  /** Open ones first, cheapest first. */
  items: readonly ServiceQuote[]
  /** Another answer is on its way: what stands here is for what was typed before. */
  stale: boolean
  error: unknown
  retry: () => void
}

/** Prices of every service for what stands in the fields, asked anew as it is typed. */
export function useQuotes(values: ParcelValues): Quotes {
  const { sender, receiver, deliveryMode, isDocument, insured, collects } = values
  const abroad = isAbroad(values)
  const declaredMinor = needsCustoms(values) ? customsValue(values.customs) : values.declaredValueMinor
  const missing = useMemo(() => {
    const missing: [Needed, boolean][] = [
      ['from', !postcode.safeParse(sender.postcode).success],
      [
        'to',
        receiver.country === '' || (hasPostcode(receiver.country) && !postcode.safeParse(receiver.postcode).success),
      ],
      ['weight', !weightGrams.safeParse(values.weightGrams).success],
    ]
    return missing.filter(([, absent]) => absent).map(([name]) => name)
  }, [sender.postcode, receiver.postcode, receiver.country, values.weightGrams])

  const size = isDocument ? null : completeSize(values.dimensions)
  const request = JSON.stringify({
    scope: abroad ? 'international' : 'domestic',
    deliveryMode,
    ...(isDocument ? { serviceType: 'document' } : {}),
    sender: { postcode: sender.postcode.trim(), country: sender.country },
    // Abroad the country is what counts, and not every one has postcodes.
    receiver: { postcode: receiver.postcode.trim() || '0', country: receiver.country },
    weightGrams: values.weightGrams,
    dimensions: size,
    insuredValueMinor: insured && declaredMinor ? declaredMinor : null,
    codAmountMinor: collects && !abroad && values.codAmountMinor ? values.codAmountMinor : null,
  })
  const [stableRequest, setStableRequest] = useState(request)
  useEffect(() => {
    const timer = setTimeout(() => setStableRequest(request), settleMs)
    return () => clearTimeout(timer)
  }, [request])

  const ready = missing.length === 0
  const result = useCall(
    priceServices,
    { body: JSON.parse(stableRequest) },
    { enabled: ready && stableRequest === request, keepPrevious: true },
  )
  const items = useMemo(() => {
    if (!result.data) return none
    const fitting = result.data.items.filter(({ serviceType }) => isDocument || serviceType !== 'document')
    return [...fitting.filter(({ open }) => open), ...fitting.filter(({ open }) => !open)]
  }, [result.data, isDocument])
  return {
    missing,
    items: ready ? items : none,
    stale: ready && (stableRequest !== request || result.isFetching),
    error: ready && stableRequest === request ? result.error : null,
    retry: () => void result.refetch(),
  }
}

/** A whole size, or none yet. */
export function completeSize(sides: ParcelValues['dimensions']): Dimensions | null {
  const parseResult = dimensions.safeParse(sides)
  return parseResult.success ? parseResult.data : null
}
