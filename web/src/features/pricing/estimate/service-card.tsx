import { Button } from '@mantine/core'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { Panel, Row } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { Figure, Quiet } from '../../../components/layout/text.tsx'
import { newParcelPath, viaSignIn } from '../../../lib/browser/new-parcel-path.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useSession } from '../../../lib/session.ts'
import { PriceLines } from '../shared/price-lines.tsx'

/** The input of the price, with which the new parcel starts. */
type EstimateInput = { from: string; grams: number | undefined; country?: string; postcode?: string | null }

/** One service: its price, day, carrier and delivery mode, or why it is not available. */
export function ServiceCard({ quote, typed }: { quote: ServiceQuote; typed: EstimateInput }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const longDay = useLongDay()
  const { price, reason } = quote
  const available = quote.open && price !== null
  return (
    <Panel title={label(serviceTypeLabels, quote.serviceType)}>
      {available ? (
        <Figure>{format.money(price.totalMinor, price.currency)}</Figure>
      ) : (
        <p>
          <strong>{t('prices.closed')}</strong>
          {reason && (
            <Quiet>
              {t(`serviceClosed.${reason.code}${reason.station ? '_station' : ''}`, {
                limit: reason.limit === null ? '' : format.weight(reason.limit),
                station: reason.station ?? '',
              })}
            </Quiet>
          )}
        </p>
      )}
      <Facts>
        {quote.expectedDate && <Fact label={t('prices.expected')}>{longDay(quote.expectedDate)}</Fact>}
        <Fact label={t('fields.deliveryMode')}>{label(deliveryModeLabels, quote.deliveryMode)}</Fact>
        <Fact label={t('fields.carrier')}>{label(carrierLabels, quote.carrier)}</Fact>
      </Facts>
      {available && (
        <>
          <Fold summary={t('quotesPage.lines')}>
            <PriceLines lines={price.lines} totalMinor={price.totalMinor} currency={price.currency} />
          </Fold>
          <ShipButton quote={quote} typed={typed} />
        </>
      )}
    </Panel>
  )
}

/** Leads to the new parcel, for a visitor through the registration, which offers the sign-in. */
function ShipButton({ quote, typed }: { quote: ServiceQuote; typed: EstimateInput }) {
  const t = useT()
  const label = useLabel()
  const signedIn = useSession((state) => state.tokens.access !== null)
  const { postcode, ...others } = typed
  const parcel = newParcelPath({ ...others, to: postcode, service: quote.code })
  const service = label(serviceTypeLabels, quote.serviceType)
  return (
    <Row>
      <Button
        component="a"
        href={signedIn ? parcel : viaSignIn('/register', parcel)}
        aria-label={t('phrase.labelled', { label: t('prices.ship'), value: service })}
      >
        {t('prices.ship')}
      </Button>
    </Row>
  )
}
