import { Button } from '@mantine/core'
import { IconExternalLink, IconPrinter } from '@tabler/icons-react'
import {
  bookingStateLooks,
  type CarrierBooking,
  getCarrierBooking,
  getCarrierLabel,
} from '@waybill/contract/carriers/carriers'
import { carrierLabels } from '@waybill/contract/ground/enums/enums'
import { isEnded } from '@waybill/contract/ground/status/parcel-status'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { CopyNumber } from '../../../components/display/copy-number.tsx'
import { StatusPill } from '../../../components/display/status-pill.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Buttons, Panel, Row } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Note, Tag } from '../../../components/layout/text.tsx'
import { openDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'

/** Polls while a booking is pending at the carrier. */
const lookEveryMs = 10_000

/** The booking at another carrier: its tracking number, its label, and a link to its tracking page. */
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
  return booking ? <Shown booking={booking} parcel={parcel} /> : null
}

/** Once the carrier has the parcel, or its journey is over, the status of the parcel replaces the booking. */
export function isBookingOutdated(
  { state }: Pick<CarrierBooking, 'state'>,
  { withOtherCarrier, status }: Pick<ParcelDetail, 'withOtherCarrier' | 'status'>,
): boolean {
  return state === 'booked' && (withOtherCarrier || isEnded(status))
}

type ShownProps = { booking: CarrierBooking; parcel: ParcelDetail }

function Shown({ booking, parcel }: ShownProps) {
  const t = useT()
  const label = useLabel()
  const carrier = label(carrierLabels, booking.carrier)
  const open = useSend(async () => openDocument(getCarrierLabel, { params: { id: parcel.id } }))
  return (
    <Panel title={t('carrierBooking.title', { carrier })}>
      <Row gap="12px 16px" role="status">
        {!isBookingOutdated(booking, parcel) && (
          <StatusPill look={bookingStateLooks[booking.state]} label={t(`carrierBooking.state.${booking.state}`)} />
        )}
        {booking.simulated && <Tag>{t('carrierBooking.simulated')}</Tag>}
      </Row>
      <Words booking={booking} parcel={parcel} carrier={carrier} />
      {booking.carrierNumber && (
        <Facts layout="tiles">
          <Fact label={t('carrierBooking.number', { carrier })}>
            <CopyNumber value={booking.carrierNumber} />
          </Fact>
        </Facts>
      )}
      {booking.state === 'booked' && (
        <Buttons>
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
        </Buttons>
      )}
      {booking.simulated && <Note>{t('carrierBooking.simulatedHelp')}</Note>}
    </Panel>
  )
}

/** The state in words for the sender. */
function Words({ booking, parcel, carrier }: ShownProps & { carrier: string }) {
  const t = useT()
  const format = useFormat()
  switch (booking.state) {
    case 'waiting':
      return (
        <>
          <p>{t('carrierBooking.waiting', { carrier })}</p>
          {booking.lastError && (
            <Note>
              {booking.nextTryAt
                ? t('phrase.sentences', {
                    first: booking.lastError,
                    second: t('carrierBooking.tryAgainAt', { when: format.relative(booking.nextTryAt) }),
                  })
                : booking.lastError}
            </Note>
          )}
        </>
      )
    case 'failed':
      return <p>{t('carrierBooking.failed', { carrier })}</p>
    case 'cancelled':
      return <p>{t('carrierBooking.cancelledText', { carrier })}</p>
    case 'booked':
      // Once it is on its way back, that is the next step of the parcel.
      if (parcel.withOtherCarrier && parcel.status !== 'recall')
        return <p>{t('carrierBooking.withCarrier', { carrier })}</p>
      if (!booking.hasLabel) return <p>{t('carrierBooking.labelComing', { carrier })}</p>
      // The sender still has it.
      return parcel.status.startsWith('pending') ? <p>{t('carrierBooking.stickBoth')}</p> : null
  }
}
