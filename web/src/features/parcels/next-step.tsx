import { getOrder } from '@waybill/contract/orders/orders'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { getWeighing } from '@waybill/contract/parcels/weighing'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { formatWindow } from '../../components/display/time-window.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { useAwaitedPickup } from './awaited-pickup.ts'
import { RefundOfParcel } from './refund-of-parcel.tsx'
import { isReweighed } from './weighing/weighing-figures.ts'

/** The next step of a parcel in one sentence with its day or amount, and the button for it. */
export function NextStep({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  switch (parcel.status) {
    case 'pending_pickup':
    case 'reverse_pickup':
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

/** When the rider comes for a parcel or its return, or why none comes. The button for another time is the main one. */
function RiderComes({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const longDay = useLongDay()
  const { pickup, comes, isMissing } = useAwaitedPickup(parcel)
  if (pickup && comes) {
    const when = { day: longDay(pickup.date), window: formatWindow(pickup.window) }
    return <p>{t(parcel.status === 'reverse_pickup' ? 'parcelPage.riderFetches' : 'parcelPage.riderComes', when)}</p>
  }
  const failure = pickup && !pickup.cancelledAt ? pickup.failureReason : null
  if (failure) return <p>{t('parcelPage.pickupFailed', { reason: t(`pickupFailure.${failure}`) })}</p>
  // Until the pickup is loaded, only what is true in any case is shown.
  return <p>{isMissing ? t('parcelPage.noPickup') : t(`parcelPage.next.${parcel.status}`)}</p>
}

function AmountDue({ parcel }: { parcel: ParcelDetail }) {
  const t = useT()
  const format = useFormat()
  const { amountDueMinor, currency } = parcel
  const wasWeighed = isReweighed(parcel)
  const weighing = useCall(getWeighing, { params: { id: parcel.id } }, { enabled: wasWeighed })
  if (amountDueMinor === 0) return <p>{t('parcelPage.next.outstanding')}</p>
  if (!wasWeighed && parcel.orderId !== null) return <DueInStore orderId={parcel.orderId} />
  // Until it is known whether the sender has disputed it, nothing is shown, because it could be wrong.
  if (weighing.isLoading) return null
  const isDisputed = weighing.data?.weighing?.state === 'contested'
  const amount = format.money(amountDueMinor, currency)
  return (
    <>
      {isDisputed && <strong>{t('weighing.state.contested')}</strong>}
      <p>{t(isDisputed ? 'parcelPage.dueOrWait' : 'parcelPage.due', { amount })}</p>
      <PayDue parcelId={parcel.id} amount={amount} isMain={!isDisputed} />
    </>
  )
}

/** An order that is paid at the counter: its parcels are paid together, there or now. */
function DueInStore({ orderId }: { orderId: string }) {
  const t = useT()
  const format = useFormat()
  const order = useCall(getOrder, { params: { id: orderId } })
  if (order.isLoading) return null
  const unpaid = (order.data?.parcels ?? []).filter(({ amountDueMinor }) => amountDueMinor > 0)
  const [first] = unpaid
  if (!first) return <p>{t('parcelPage.next.outstanding')}</p>
  const dueMinor = unpaid.reduce((sum, { amountDueMinor }) => sum + amountDueMinor, 0)
  const amount = format.money(dueMinor, first.currency)
  return (
    <>
      <p>{t('parcelPage.dueInStore', { count: unpaid.length, amount })}</p>
      <PayDue parcelId={first.id} amount={amount} isMain />
    </>
  )
}

function PayDue({ parcelId, amount, isMain }: { parcelId: string; amount: string; isMain: boolean }) {
  const t = useT()
  if (!useMay('pay.owed')) return null
  return (
    <div>
      <ButtonLink to="/outstanding" search={{ parcel: parcelId }} variant={isMain ? 'filled' : 'default'}>
        {t('checkout.pay', { amount })}
      </ButtonLink>
    </div>
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
  const until = order.data?.expiresAt
  return (
    <>
      <p>{until ? t('parcelPage.payUntil', { time: format.dateTime(until) }) : t('parcelPage.next.pending_payment')}</p>
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
