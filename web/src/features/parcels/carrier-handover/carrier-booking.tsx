import { Button } from '@mantine/core'
import { IconExternalLink, IconPrinter } from '@tabler/icons-react'
import {
  bookingStateLooks,
  type CarrierBooking,
  getCarrierBooking,
  getCarrierLabel,
} from '@waybill/contract/carriers/carriers'
import { carrierLabels } from '@waybill/contract/ground/enums'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { CopyNumber } from '../../../components/copy-number.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { StatusPill } from '../../../components/status-pill.tsx'
import { openDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import parcelClasses from '../list/parcels.module.css'
import classes from './carrier-booking.module.css'

/** While a carrier is being asked, its answer may come any moment. */
const lookEveryMs = 10_000

/**
 * How the parcel stands at the carrier that takes it, where that is not us: its number there, its label, where to
 * follow it.
 */
export function CarrierBookingPanel({ parcel }: { parcel: ParcelDetail }) {
  const others = parcel.carrier !== null && parcel.carrier !== 'own' && parcel.trackingNumber !== null
  const answer = useCall(getCarrierBooking, { params: { id: parcel.id } }, { enabled: others })
  const waits = answer.data?.booking?.state === 'waiting' || answer.data?.booking?.hasLabel === false
  useCall(
    getCarrierBooking,
    { params: { id: parcel.id } },
    { enabled: others && waits, refetchInterval: waits && lookEveryMs },
  )
  const booking = answer.data?.booking
  return booking ? <Shown booking={booking} parcelId={parcel.id} /> : null
}

function Shown({ booking, parcelId }: { booking: CarrierBooking; parcelId: string }) {
  const t = useT()
  const label = useLabel()
  const carrier = label(carrierLabels, booking.carrier)
  const open = useSend(async () => openDocument(getCarrierLabel, { params: { id: parcelId } }))
  return (
    <section className={parcelClasses.section}>
      <h2>{t('carrierBooking.title', { carrier })}</h2>
      <div className={parcelClasses.state} role="status">
        <StatusPill look={bookingStateLooks[booking.state]} label={t(`carrierBooking.state.${booking.state}`)} />
        {booking.simulated && <span className={classes.simulated}>{t('carrierBooking.simulated')}</span>}
      </div>
      <Words booking={booking} carrier={carrier} />
      {booking.carrierNumber && (
        <dl className={classes.number}>
          <dt>{t('carrierBooking.number', { carrier })}</dt>
          <dd>
            <CopyNumber value={booking.carrierNumber} />
          </dd>
        </dl>
      )}
      {booking.state === 'booked' && (
        <div className={classes.buttons}>
          {booking.hasLabel && (
            <Button
              leftSection={<IconPrinter size={18} aria-hidden />}
              onClick={() => void open.send()}
              loading={open.pending}
            >
              {t('carrierBooking.label', { carrier })}
            </Button>
          )}
          {booking.trackingUrl && (
            <Button
              component="a"
              href={booking.trackingUrl}
              target="_blank"
              rel="noreferrer"
              variant="subtle"
              rightSection={<IconExternalLink size={18} aria-hidden />}
            >
              {t('carrierBooking.follow', { carrier })}
            </Button>
          )}
        </div>
      )}
      {booking.simulated && <p className={classes.hint}>{t('carrierBooking.simulatedHelp')}</p>}
    </section>
  )
}

/** What the state means for the sender. */
function Words({ booking, carrier }: { booking: CarrierBooking; carrier: string }) {
  const t = useT()
  const format = useFormat()
  switch (booking.state) {
    case 'waiting':
      return (
        <>
          <p className={parcelClasses.next}>{t('carrierBooking.waiting', { carrier })}</p>
          {booking.lastError && (
            <p className={classes.hint}>
              {booking.lastError}{' '}
              {booking.nextTryAt && t('carrierBooking.tryAgainAt', { when: format.relative(booking.nextTryAt) })}
            </p>
          )}
        </>
      )
    case 'failed':
      return <p className={parcelClasses.next}>{t('carrierBooking.failed', { carrier })}</p>
    case 'cancelled':
      return <p className={parcelClasses.next}>{t('carrierBooking.cancelledText', { carrier })}</p>
    case 'booked':
      return (
        <p className={parcelClasses.next}>
          {booking.hasLabel ? t('carrierBooking.stickBoth') : t('carrierBooking.labelComing', { carrier })}
        </p>
      )
  }
}
