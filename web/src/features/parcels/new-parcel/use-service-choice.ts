import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useEffect, useEffectEvent } from 'react'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import type { Quotes } from '../quotes/use-quotes.ts'
import type { ParcelValues } from './parcel-values.ts'

/**
 * The quote of the selected service. Until the user selects one, or if the selected one is no longer offered, the
 * cheapest is used. `settled`: prices and service match the current input.
 */
export function useServiceChoice(
  form: ContractForm<ParcelValues>,
  quotes: Quotes,
): { quote: ServiceQuote | null; settled: boolean } {
  const { serviceType, carrier, servicePicked } = form.values
  const isChosen = (quote: ServiceQuote | null) => quote?.serviceType === serviceType && quote.carrier === carrier
  const quote = quotes.items.find(isChosen) ?? null
  const cheapest = quotes.items.find((quote) => quote.open) ?? null
  const hasPrices = quotes.missing.length === 0 && !quotes.stale
  const keep = servicePicked && quote?.open === true
  const right = keep || (cheapest === null ? serviceType === null : isChosen(cheapest))

  const takeCheapest = useEffectEvent(() =>
    form.fillIn({
      serviceType: cheapest?.serviceType ?? null,
      carrier: cheapest?.carrier ?? null,
      servicePicked: false,
    }),
  )
  useEffect(() => {
    if (hasPrices && !right) takeCheapest()
  }, [hasPrices, right])

  return { quote, settled: !quotes.stale && !(cheapest && serviceType === null) }
}
