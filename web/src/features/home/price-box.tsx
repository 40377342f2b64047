import { Link } from '@tanstack/react-router'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums'
import { priceServices, type ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useState } from 'react'
import { LineList, Panel } from '../../components/layout/boxes.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useDeployment } from '../../lib/settings/deployment.ts'
import { type Estimate, toPriceRequest, useDestinations } from '../pricing/shared/estimate.ts'
import { EstimateForm } from '../pricing/shared/estimate-form.tsx'

const initial = { from: '', to: '', weightGrams: null as number | null }

/** A price estimate from three fields, without an account. The page of prices has every service. */
export function PriceBox() {
  const t = useT()
  const home = useDeployment()?.countryCode
  const { names, find } = useDestinations()
  const [result, setResult] = useState<{ estimate: Estimate; quotes: readonly ServiceQuote[] } | null>(null)
  return (
    <Panel aria-labelledby="price-title">
      <h2 id="price-title">{t('home.priceTitle')}</h2>
      <EstimateForm
        initial={initial}
        countries={names}
        onSubmit={async (estimate) => {
          const country = home ?? 'my'
          const destination = find?.(estimate.to) ?? { country, postcode: estimate.to }
          const { items } = await call(priceServices, { body: toPriceRequest(estimate, destination, country) })
          setResult({ estimate, quotes: items.filter(({ open }) => open) })
        }}
      />
      <div aria-live="polite">{result && <Quotes quotes={result.quotes} />}</div>
      <Link
        to="/public/prices"
        search={
          result ? { from: result.estimate.from, to: result.estimate.to, grams: result.estimate.weightGrams } : {}
        }
      >
        {t('prices.all')}
      </Link>
    </Panel>
  )
}

function Quotes({ quotes }: { quotes: readonly ServiceQuote[] }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  if (quotes.length === 0) return <p>{t('home.noService')}</p>
  return (
    <LineList>
      {quotes.map((quote) => (
        <li key={quote.code}>
          <div>
            <strong>{label(serviceTypeLabels, quote.serviceType)}</strong>
            <Quiet as="div">
              {label(deliveryModeLabels, quote.deliveryMode)}
              {quote.expectedDate && ` · ${t('home.expected', { day: format.day(quote.expectedDate) })}`}
            </Quiet>
          </div>
          {quote.price && <strong>{format.money(quote.price.totalMinor, quote.price.currency)}</strong>}
        </li>
      ))}
    </LineList>
  )
}
