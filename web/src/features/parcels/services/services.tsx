import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import type { ParcelValues } from '../new-parcel/parcel-values.ts'
import { ExpectedDay } from '../quotes/expected-day.tsx'
import { PriceProblem } from '../quotes/price-problem.tsx'
import type { Quotes } from '../quotes/use-quotes.ts'
import { findServiceNeeds } from './service-needs.ts'

type Props = { form: ContractForm<ParcelValues>; quotes: Quotes }

/** The available services: by need (cheapest, fastest), and the full list with its prices. */
export function Services({ form, quotes }: Props) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const { serviceType, carrier } = form.values
  const selectedQuote = quotes.items.find((quote) => quote.serviceType === serviceType && quote.carrier === carrier)
  if (quotes.missing.length > 0) {
    return (
      <Note>
        {t('newParcel.servicesLater', {
          what: format.list(quotes.missing.map((name) => t(`newParcel.needed.${name}`))),
        })}
      </Note>
    )
  }
  if (quotes.offline) return <Note>{t('newParcel.offline')}</Note>
  if (quotes.error) return <PriceProblem quotes={quotes} />
  const choose = (code: string) => {
    const match = quotes.items.find((quote) => quote.code === code)
    if (match) form.patch({ serviceType: match.serviceType, carrier: match.carrier, servicePicked: true })
  }
  return (
    <Stack gap={24} aria-busy={quotes.stale} data-stale={quotes.stale}>
      <Needs quotes={quotes} chosenCode={selectedQuote?.code ?? null} choose={choose} />
      <ChoiceCards
        legend={t('newParcel.service')}
        name="serviceType"
        value={selectedQuote?.code ?? null}
        error={form.field('serviceType').error}
        onChange={choose}
        choices={quotes.items.map((quote) => ({
          value: quote.code,
          title: label(serviceTypeLabels, quote.serviceType),
          text: <ServiceText quote={quote} carrier={label(carrierLabels, quote.carrier)} />,
          aside: <ServicePrice quote={quote} />,
          disabled: !quote.open,
        }))}
      />
      {quotes.items.length === 0 && <Note>{t(quotes.stale ? 'list.loading' : 'home.noService')}</Note>}
    </Stack>
  )
}

type NeedsProps = { quotes: Quotes; chosenCode: string | null; choose: (code: string) => void }

/** The cheapest service, and the fastest with its extra cost. Absent while the cheapest is also the fastest. */
function Needs({ quotes, chosenCode, choose }: NeedsProps) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const { cheapest, fastest } = findServiceNeeds(quotes.items)
  if (!cheapest?.price || !fastest) return null
  const { currency, totalMinor } = cheapest.price
  const describe = ({ serviceType, expectedDate }: ServiceQuote) => (
    <>
      {label(serviceTypeLabels, serviceType)}
      <ExpectedDay day={expectedDate} />
    </>
  )
  return (
    <ChoiceCards
      legend={t('serviceNeed.legend')}
      name="need"
      layout="pairs"
      value={chosenCode}
      onChange={choose}
      choices={[
        {
          value: cheapest.code,
          title: t('serviceNeed.cheapest'),
          text: describe(cheapest),
          aside: format.money(totalMinor, currency),
        },
        {
          value: fastest.quote.code,
          title: t('serviceNeed.fastest'),
          text: describe(fastest.quote),
          aside: `+${format.money(fastest.extraMinor, currency)}`,
        },
      ]}
    />
  )
}

function ServiceText({ quote, carrier }: { quote: ServiceQuote; carrier: string }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  if (!quote.open) {
    const limit = quote.reason?.limit
    const code = quote.reason?.code ?? 'no_rate'
    return (
      <>
        {carrier} ·{' '}
        {t(`serviceClosed.${code}`, {
          limit: limit === null || limit === undefined ? '' : format.weight(limit),
        })}
      </>
    )
  }
  return (
    <>
      {carrier}
      <span style={{ display: 'block' }}>{label(deliveryModeLabels, quote.deliveryMode)}</span>
      <ExpectedDay day={quote.expectedDate} />
    </>
  )
}

function ServicePrice({ quote }: { quote: ServiceQuote }) {
  const t = useT()
  const format = useFormat()
  if (!quote.open || !quote.price) return <Quiet inline>{t('newParcel.closed')}</Quiet>
  return format.money(quote.price.totalMinor, quote.price.currency)
}
