import { IconCircleCheck, IconClock } from '@tabler/icons-react'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { isDueInStore, type OrderDetail } from '@waybill/contract/orders/orders'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { TextButton } from '../../../components/buttons/link.tsx'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { QrCode } from '../../../components/display/qr-code.tsx'
import { ParcelPill } from '../../../components/display/record-pills.tsx'
import { formatWindow } from '../../../components/display/time-window.ts'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Figure, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { ShareTracking, trackingUrl } from '../../parcels/shared/share-tracking.tsx'
import { listComingVisits } from '../visits.ts'
import classes from './ticket.module.css'

/**
 * The number of parcels that the ticket shows at first. Only they have a QR code: a large order would draw thousands.
 */
const few = 3

/**
 * A paid order, or one to be paid at a counter, as a ticket: the amount, how and when it was paid, and each parcel's
 * number with its QR code.
 */
export function Ticket({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const longDay = useLongDay()
  const [all, setAll] = useState(false)
  const { coming } = listComingVisits(order)
  const numbered = order.parcels.filter(({ trackingNumber }) => trackingNumber !== null)
  const visible = all ? numbered : numbered.slice(0, few)
  return (
    <section className={classes.ticket} aria-label={t('ticket.title')}>
      <div className={classes.stub}>
        {isDueInStore(order) ? (
          <p className={classes.paid} data-due>
            <IconClock size={24} aria-hidden />
            {t('ticket.due')}
          </p>
        ) : (
          <p className={classes.paid}>
            <IconCircleCheck size={24} aria-hidden />
            {t('ticket.paid')}
          </p>
        )}
        <Figure>{format.money(isDueInStore(order) ? order.totalMinor : order.paidMinor, order.currency)}</Figure>
        <Facts layout="tiles" min={150}>
          <Fact label={t('ticket.order')}>
            <CopyNumber value={order.number} />
          </Fact>
          <Fact label={t('ordersPage.paidAt')}>{order.paidAt && format.dateTime(order.paidAt)}</Fact>
          <Fact label={t('ordersPage.method')}>
            {order.paymentMethod && label(paymentMethodLabels, order.paymentMethod)}
          </Fact>
          <Fact label={t('ticket.rider')}>
            {coming.length > 0 &&
              coming.map(({ visit: { id, date, window } }) => (
                <div key={id}>{t('checkout.pickupWhen', { day: longDay(date), window: formatWindow(window) })}</div>
              ))}
          </Fact>
        </Facts>
      </div>
      <ul className={classes.parcels}>
        {visible.map((parcel, n) => (
          <TicketParcel key={parcel.id} parcel={parcel} withCode={n < few} />
        ))}
      </ul>
      {visible.length < numbered.length && (
        <p className={classes.rest}>
          <TextButton onClick={() => setAll(true)}>
            {t('checkout.showAll', { count: format.number(numbered.length) })}
          </TextButton>
        </p>
      )}
    </section>
  )
}

function TicketParcel({ parcel, withCode }: { parcel: Parcel; withCode: boolean }) {
  const t = useT()
  const format = useFormat()
  const number = parcel.trackingNumber ?? ''
  const { receiver } = parcel
  const isCancelled = parcel.status === 'cancel' || parcel.status === 'refunded'
  return (
    <li className={classes.parcel}>
      {withCode && <QrCode text={trackingUrl(number)} label={t('ticket.qr', { number })} />}
      <div className={classes.words}>
        <CopyNumber value={number} text={format.trackingNumber(number)} size="lg" />
        {receiver && (
          <span>
            {t('ticket.to', { name: receiver.contactName })}
            <Quiet>
              {receiver.postcode} {receiver.city}
            </Quiet>
          </span>
        )}
        <div>
          {isCancelled ? (
            <ParcelPill parcel={parcel} waitsForApproval={false} />
          ) : (
            <ShareTracking number={number} receiver={receiver?.contactName} size="compact-md" />
          )}
        </div>
      </div>
      {parcel.priceMinor !== null && (
        <span className={classes.price}>{format.money(parcel.priceMinor, parcel.currency)}</span>
      )}
    </li>
  )
}
