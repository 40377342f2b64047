import { getOrder } from '@waybill/contract/orders/orders'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { getWeighing } from '@waybill/contract/parcels/weighing'
import { getPickupRequest } from '@waybill/contract/pickups/pickups'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { formatWindow } from '../../components/display/time-window.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { RefundOfParcel } from './refund-of-parcel.tsx'
import { isReweighed } from './weighing/weighing-figures.ts'

/** The next step of a parcel in one sentence with its day or amount, and the button for it. */
export function NextStep({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  switch (parcel.status) {
    case 'pending_pickup':
      return <RiderComes parcel={parcel} />
    case 'outstanding':
      return <AmountDue parcel={parcel} />
    case 'pending_payment':
      return <PaymentRuns parcel={parcel} />
    case 'lost':
      return (
        <>
          <p>{t('parcelPage.next.lost')}</p>
          {!parcel.insuredValueMinor && <p>{t('parcelPage.lostUninsured')}</p>}
        </>
      )
    case 'cancel':
    case 'refunded':
      return (
        <>
          <p>{t(`parcelPage.next.${parcel.status}`)}</p>
          <RefundOfParcel parcel={parcel} />
        </>
      )
  }
  if (parcel.status === 'incart' && parcel.orderId) return <p>{t('parcelPage.inCheckout')}</p>
  if (parcel.status === 'pending' && parcel.missing.length === 0) return <p>{t('parcelPage.complete')}</p>
  if (parcel.status === 'inbound' && parcel.collectUntil !== null) return <p>{t('parcelPage.waits')}</p>
  if (parcel.atLastStation) return <p>{t('parcelPage.next.lastStation')}</p>
  const back = parcel.leg === 'return' ? backKeys[parcel.status] : undefined
  return <p>{back ? t(`parcelPage.back.${back}`) : t(`parcelPage.next.${parcel.status}`)}</p>
}

/** The next step of a return: keys of `parcelPage.back`. */
const backKeys: Partial<Record<ParcelDetail['status'], string>> = {
  inbound: 'inbound',
  sorting: 'sorting',
  outbound: 'outbound',
  delivering: 'delivering',
  'fail-to-deliver': 'failed',
  completed: 'completed',
}

function RiderComes({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const longDay = useLongDay()
  const id = parcel.pickupRequestId
  const pickup = useCall(getPickupRequest, { params: { id: id ?? '' } }, { enabled: id !== null })
  const { data } = pickup
  const comes = data && !data.cancelledAt && data.status !== 'failed'
  if (comes) {
    const when = { day: longDay(data.date), window: formatWindow(data.window) }
    return <p>{t('parcelPage.riderComes', when)}</p>
  }
  // Until the data is loaded nothing is shown, because it could be wrong.
  const missing = id === null || data !== undefined
  const failure = data && !data.cancelledAt ? data.failureReason : null
  return (
    <>
      {failure ? (
        <p>{t('parcelPage.pickupFailed', { reason: t(`pickupFailure.${failure}`) })}</p>
      ) : (
        <p>{t(missing ? 'parcelPage.noPickup' : 'parcelPage.next.pending_pickup')}</p>
      )}
      {missing && (
        <div>
          <ButtonLink to="/pickups" search={failure ? { tab: 'failed', q: data?.number } : {}}>
            {t('parcelPage.toPickups')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

function AmountDue({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const mayPay = useMay('pay.owed')
  const { amountDueMinor, currency } = parcel
  const weighing = useCall(getWeighing, { params: { id: parcel.id } }, { enabled: isReweighed(parcel) })
  if (amountDueMinor === 0) return <p>{t('parcelPage.next.outstanding')}</p>
  // Until it is known whether the sender has disputed it, nothing is shown, because it could be wrong.
  if (weighing.isLoading) return null
  const isDisputed = weighing.data?.weighing?.state === 'contested'
  const amount = format.money(amountDueMinor, currency)
  return (
    <>
      {isDisputed && <strong>{t('weighing.state.contested')}</strong>}
      <p>{t(isDisputed ? 'parcelPage.dueOrWait' : 'parcelPage.due', { amount })}</p>
      {mayPay && (
        <div>
          <ButtonLink to="/outstanding" search={{ parcel: parcel.id }} variant={isDisputed ? 'default' : 'filled'}>
            {t('checkout.pay', { amount })}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

/** A payment in progress at the bank, or a pending approval of the company. */
function PaymentRuns({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const id = parcel.orderId
  const order = useCall(getOrder, { params: { id: id ?? '' } }, { enabled: id !== null })
  const mayPay = useMay('pay')
  const request = order.data?.waitsForApproval ? order.data.approval?.request : null
  if (request) return <p>{t('parcelPage.waitsForApproval', { time: format.dateTime(request.expiresAt) })}</p>
  return (
    <>
      <p>{t('parcelPage.next.pending_payment')}</p>
      {mayPay && order.data && !order.data.waitsForApproval && (
        <div>
          <ButtonLink to="/checkout/$orderId" params={{ orderId: order.data.id }} variant="filled">
            {t('pendingCheckout.pay')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}
