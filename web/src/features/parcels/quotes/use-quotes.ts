import { hasPostcode } from '@waybill/contract/ground/address-forms'
import { postcode } from '@waybill/contract/ground/fields'
import { type Dimensions, dimensions, weightGrams } from '@waybill/contract/ground/measures'
import { priceServices, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useEffect, useMemo, useState } from 'react'
import { useCall } from '../../../lib/query.ts'
import { useUnknownPostcode } from '../../addresses/shared/use-postcode.ts'
import { customsValue, isAbroad, needsCustoms, type ParcelValues } from '../new-parcel/parcel-values.ts'
import { joinVisit } from './joined-visit.ts'

const settleMs = 300
const none: readonly ServiceQuote[] = []

/** The fields that a price needs. */
export type MissingInput = 'from' | 'to' | 'weight'

export type Quotes = {
  /** The missing ones; empty once prices can be requested. */
  missing: readonly MissingInput[]
  /** The messages of postcodes that do not exist. */
  unknown: Readonly<Record<string, string | undefined>>
  /** Available services first, cheapest first. */
  items: readonly ServiceQuote[]
  /** A newer response is loading: these prices belong to the previous input. */
  stale: boolean
  /** No connection: no prices are shown, because the last ones may belong to another input. */
  offline: boolean
  error: unknown
  retry: () => void
}

type Options = {
  /** The rider comes for another parcel anyway, so the pickup is free. */
  joinsVisit?: boolean
  /** The station that the parcel is brought to, if it is known. */
  dropOffStationId?: string
}

/** The prices of all services for the current form values, requested again as the user types. */
export function useQuotes(values: ParcelValues, { joinsVisit = false, dropOffStationId = undefined }: Options): Quotes {
  const { sender, receiver, deliveryMode, isDocument, insured, collects } = values
  const abroad = isAbroad(values)
  const declaredMinor = needsCustoms(values) ? customsValue(values.customs) : values.declaredValueMinor
  const missing = useMemo(() => {
    const missing: [MissingInput, boolean][] = [
      ['from', !postcode.safeParse(sender.postcode).success],
      [
        'to',
        receiver.country === '' || (hasPostcode(receiver.country) && !postcode.safeParse(receiver.postcode).success),
      ],
      ['weight', !weightGrams.safeParse(values.weightGrams).success],
    ]
    return missing.filter(([, absent]) => absent).map(([name]) => name)
  }, [sender.postcode, receiver.postcode, receiver.country, values.weightGrams])

  const unknown = {
    from: useUnknownPostcode(sender.postcode, sender.country),
    to: useUnknownPostcode(receiver.postcode, receiver.country),
  }

  const size = isDocument ? null : completeSize(values.dimensions)
  const request = JSON.stringify({
    scope: abroad ? 'international' : 'domestic',
    deliveryMode,
    ...(isDocument ? { serviceType: 'document' } : {}),
    sender: { postcode: sender.postcode.trim(), country: sender.country },
    // International prices depend on the country, and some countries have no postcodes.
    receiver: { postcode: receiver.postcode.trim() || '0', country: receiver.country },
    ...(dropOffStationId ? { dropOffStationId } : {}),
    selfCollectionStationId: values.selfCollectionStationId || null,
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
    const fitting = result.data.items
      .filter(({ serviceType }) => isDocument || serviceType !== 'document')
      .map((quote) => (joinsVisit ? joinVisit(quote) : quote))
    return [...fitting.filter(({ open }) => open), ...fitting.filter(({ open }) => !open)]
  }, [result.data, isDocument, joinsVisit])
  const isCurrent = stableRequest === request && !result.isPlaceholderData
  const offline = ready && result.fetchStatus === 'paused' && !isCurrent
  return {
    missing,
    unknown,
    items: ready && !offline ? items : none,
    stale: ready && !offline && (!isCurrent || result.isFetching),
    offline,
    error: ready && stableRequest === request ? result.error : null,
    retry: () => void result.refetch(),
  }
}

/** Complete dimensions, or null. */
export function completeSize(sides: ParcelValues['dimensions']): Dimensions | null {
  const parseResult = dimensions.safeParse(sides)
  return parseResult.success ? parseResult.data : null
}
