import { Button } from '@mantine/core'
import { carrierLabels, type DeliveryMode, deliveryModeLabels, serviceTypeLabels } from '@waybill/contract/ground/enums'
import type { ServiceQuote } from '@waybill/contract/pricing/pricing'
import { useLongDay } from '../../../components/display/long-day.ts'
import { errorMessage } from '../../../components/feedback/notify.tsx'
import { ChoiceCards } from '../../../components/fields/choice-cards.tsx'
import type { ContractForm } from '../../../components/form/contract-form.ts'
import { Row, Stack } from '../../../components/layout/boxes.tsx'
import { ErrorText, Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useDeliveryModes, useLabel } from '../../../lib/labels.ts'
import { CollectionStation } from '../cart/collection-station.tsx'
import { isVisited, openSlot, type PickupClock, type PickupSlot } from '../cart/pickup-slots.ts'
import { PickupTime } from '../cart/pickup-time.tsx'
import type { Quotes } from '../quotes/use-quotes.ts'
import classes from './new-parcel.module.css'
import { endsAtStation, isAbroad, isFetched, type ParcelValues } from './parcel-values.ts'

type Props = {
  form: ContractForm<ParcelValues>
  quotes: Quotes
  /** The time of the pickup, for an order that is paid now; null hides it. */
  pickup: { clock: PickupClock; slot: PickupSlot | null; choose: (slot: PickupSlot) => void } | null
}

/** Pickup or drop-off, delivery or collection, and the service. */
export function HowStep({ form, quotes, pickup }: Props) {
  const t = useT()
  const modes = useDeliveryModes()
  const { values } = form
  return (
    <Stack gap={24}>
      <ChoiceCards
        legend={t('fields.deliveryMode')}
        name="deliveryMode"
        layout="pairs"
        value={values.deliveryMode}
        error={form.field('deliveryMode').error}
        onChange={(mode) => form.set('deliveryMode', mode as DeliveryMode)}
        choices={modes
          .filter(({ value }) => !isAbroad(values) || !endsAtStation(value))
          .map(({ value, label }) => ({ value, title: label, text: t(`newParcel.mode.${value}`) }))}
      />
      {endsAtStation(values.deliveryMode) && (
        <CollectionStation
          field={form.field('selfCollectionStationId')}
          near={values.receiver.postcode}
          state={values.receiver.state}
        />
      )}
      <Services form={form} quotes={quotes} />
      {pickup && isFetched(values.deliveryMode) && (
        <Stack className={classes.pickup}>
          <Note>{t('newParcel.pickupHint')}</Note>
          <PickupTime clock={pickup.clock} value={pickup.slot} onChange={pickup.choose} />
          {isVisited(openSlot(pickup.slot, pickup.clock), pickup.clock) && (
            <p role="status">{t('cart.riderComesNow')}</p>
          )}
        </Stack>
      )}
    </Stack>
  )
}

function Services({ form, quotes }: Pick<Props, 'form' | 'quotes'>) {
  const t = useT()
  const label = useLabel()
  const { serviceType, carrier } = form.values
  const selectedQuote = quotes.items.find((quote) => quote.serviceType === serviceType && quote.carrier === carrier)
  if (quotes.missing.length > 0) {
    return (
      <Note>
        {t('newParcel.servicesLater', { what: quotes.missing.map((name) => t(`newParcel.needed.${name}`)).join(', ') })}
      </Note>
    )
  }
  if (quotes.error) {
    return (
      <Row role="alert">
        <ErrorText as="span">{errorMessage(quotes.error)}</ErrorText>
        <Button size="compact-sm" onClick={quotes.retry}>
          {t('actions.tryAgain')}
        </Button>
      </Row>
    )
  }
  return (
    <div aria-busy={quotes.stale} data-stale={quotes.stale}>
      <ChoiceCards
        legend={t('newParcel.service')}
        name="serviceType"
        value={selectedQuote?.code ?? null}
        error={form.field('serviceType').error}
        onChange={(code) => {
          const match = quotes.items.find((quote) => quote.code === code)
          if (match) form.patch({ serviceType: match.serviceType, carrier: match.carrier, servicePicked: true })
        }}
        choices={quotes.items.map((quote) => ({
          value: quote.code,
          title: label(serviceTypeLabels, quote.serviceType),
          text: <ServiceText quote={quote} carrier={label(carrierLabels, quote.carrier)} />,
          aside: <ServicePrice quote={quote} />,
          disabled: !quote.open,
        }))}
      />
      {quotes.items.length === 0 && <Note>{t(quotes.stale ? 'list.loading' : 'home.noService')}</Note>}
    </div>
  )
}

function ServiceText({ quote, carrier }: { quote: ServiceQuote; carrier: string }) {
  const t = useT()
  const longDay = useLongDay()
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
      {carrier} · {label(deliveryModeLabels, quote.deliveryMode)}
      {quote.expectedDate && (
        <span style={{ display: 'block' }}>
          {t('newParcel.expected', {
            day: longDay(quote.expectedDate),
          })}
        </span>
      )}
    </>
  )
}

function ServicePrice({ quote }: { quote: ServiceQuote }) {
  const t = useT()
  const format = useFormat()
  if (!quote.open || !quote.price) return <Quiet inline>{t('newParcel.closed')}</Quiet>
  return format.money(quote.price.totalMinor, quote.price.currency)
}
