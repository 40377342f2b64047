import { isDueInStore, type OrderDetail } from '@waybill/contract/orders/orders'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { StepMark } from '../../../components/display/step-mark.tsx'
import { formatWindow } from '../../../components/display/time-window.ts'
import { Buttons, Stack } from '../../../components/layout/boxes.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useMay } from '../../../lib/session.ts'
import { DropOffStations } from '../../stations/shared/drop-off-stations.tsx'
import { countToHandOver } from '../checkout-step.ts'
import { InvoiceButtons, NoteButtons } from '../documents.tsx'
import classes from '../orders.module.css'
import { type ComingVisit, listComingVisits } from '../visits.ts'
import { CalendarButton } from './calendar-button.tsx'
import { SlipButton } from './pay-in-store.tsx'

/** After the payment: print the notes, hand over the parcels, keep the invoice. */
export function NextSteps({ order }: { order: OrderDetail }) {
  const t = useT()
  const mayCreate = useMay('parcels.create')
  const count = countToHandOver(order)
  const steps = [
    isDueInStore(order) && {
      title: t('payInStore.title'),
      content: (
        <>
          <Note>{t('payInStore.slipText', { count })}</Note>
          <div>
            <SlipButton order={order} main />
          </div>
        </>
      ),
    },
    {
      title: t('checkout.printTitle'),
      content: (
        <>
          <Note>{t('checkout.printText', { count })}</Note>
          {/* The parcels are accepted only after the payment, so the slip comes first. */}
          <NoteButtons parcels={order.parcels} main={!isDueInStore(order)} />
        </>
      ),
    },
    {
      title: t(order.pickup ? 'checkout.riderTitle' : 'checkout.bringTitle', { count }),
      content: <HandOver order={order} />,
    },
    order.invoiceNumber && {
      title: t('checkout.invoiceTitle'),
      content: (
        <>
          <Note>{t('checkout.invoiceText', { number: order.invoiceNumber })}</Note>
          <InvoiceButtons orderId={order.id} />
        </>
      ),
    },
  ].filter((step) => !!step)
  return (
    <>
      <ol className={classes.next}>
        {steps.map(({ title, content }, index) => (
          <li key={title}>
            <StepMark number={index + 1} />
            <Stack gap={12}>
              <h2>{title}</h2>
              {content}
            </Stack>
          </li>
        ))}
      </ol>
      <Buttons>
        <ButtonLink to="/parcels" search={{ tab: 'to_hand_over' }}>
          {t('checkout.toParcels')}
        </ButtonLink>
        <ButtonLink to="/orders/$id" params={{ id: order.id }}>
          {t('checkout.toOrder')}
        </ButtonLink>
        {mayCreate && <ButtonLink to="/parcels/new">{t('cart.newParcel')}</ButtonLink>}
      </Buttons>
    </>
  )
}

/** When the rider comes, or where the parcels can be dropped off. */
export function HandOver({ order }: { order: OrderDetail }) {
  const t = useT()
  const { coming, withoutVisit } = listComingVisits(order)
  if (!order.pickup) {
    return (
      <>
        <Note>{t('checkout.bringText', { count: countToHandOver(order) })}</Note>
        <DropOffStations near={order.parcels[0]?.sender?.postcode ?? null} />
      </>
    )
  }
  return (
    <>
      {coming.map((each) => (
        <Visit key={each.visit.id} {...each} ofSeveral={coming.length > 1 || withoutVisit > 0} />
      ))}
      {withoutVisit > 0 && (
        <>
          <Note>
            {coming.length === 0 ? t('checkout.noVisit') : t('checkout.someWithoutVisit', { count: withoutVisit })}
          </Note>
          <div>
            <ButtonLink to="/pickups">{t('parcelPage.toPickups')}</ButtonLink>
          </div>
        </>
      )}
    </>
  )
}

/** `ofSeveral`: not all parcels of the order wait for this visit, so their number is shown. */
function Visit({ visit, parcelCount, ofSeveral }: ComingVisit & { ofSeveral: boolean }) {
  const t = useT()
  const longDay = useLongDay()
  const { number, date, window } = visit
  const { contactName, line1, postcode, city } = visit.address
  return (
    <>
      <strong>
        {t('checkout.pickupWhen', { day: longDay(date), window: formatWindow(window) })}
        {ofSeveral && ` · ${t('pickupsPage.parcelCount', { count: parcelCount })}`}
      </strong>
      <Note>
        {contactName}, {line1}, {postcode} {city} ·{' '}
        <span style={{ display: 'inline-block' }}>{t('checkout.pickupNumber', { number })}</span>
      </Note>
      <div>
        <CalendarButton
          number={number}
          date={date}
          window={window}
          place={`${line1}, ${postcode} ${city}`}
          parcelCount={parcelCount}
        />
      </div>
    </>
  )
}
