import { useParams } from '@tanstack/react-router'
import { orderStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { getOrder, isDueInStore, type OrderDetail } from '@waybill/contract/orders/orders'
import { useEffect, useRef, useState } from 'react'
import { ButtonLink, TextButton } from '../../../components/buttons/link.tsx'
import { useLongDay } from '../../../components/display/line-breaks.ts'
import { formatWindow } from '../../../components/display/time-window.ts'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Columns, LineList, Panel, Stack } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import { useCountdown } from '../../../lib/time/use-countdown.ts'
import { PriceLines } from '../../pricing/shared/price-lines.tsx'
import { getCheckoutStep } from '../checkout-step.ts'
import classes from '../orders.module.css'
import { WaitsForApproval } from './ask-approval.tsx'
import { NextSteps } from './next-steps.tsx'
import { PaymentChoice } from './payment-choice.tsx'
import { Ticket } from './ticket.tsx'

/** The checkout: content, price and payment; after the payment, the next steps. */
export function CheckoutPage() {
  const t = useT()
  const { orderId } = useParams({ from: '/portal/checkout/$orderId' })
  const order = useCall(getOrder, { params: { id: orderId } }, { staleTime: 0 })
  if (order.data) return <Shown order={order.data} refresh={order.refetch} />
  return (
    <>
      <PageHeader title={t('checkout.title')} />
      {order.error ? <ErrorPanel error={order.error} retry={() => void order.refetch()} /> : <Loading />}
    </>
  )
}

function Shown({ order, refresh }: { order: OrderDetail; refresh: () => unknown }) {
  const t = useT()
  const before = useRef(order.status)
  useEffect(() => {
    if (before.current === order.status) return
    before.current = order.status
    // The focused element no longer exists, so the heading of the new content takes the focus.
    document.querySelector<HTMLElement>('[data-page-title]')?.focus()
  }, [order.status])
  const step = getCheckoutStep(order)
  if (step === 'pay') return <ToPay order={order} refresh={refresh} />
  if (step === 'over') return <Over order={order} />
  if (step === 'ended') {
    const rejection = order.approval?.request?.status === 'declined' ? order.approval.request : null
    return (
      <>
        <PageHeader title={t('checkout.title')} description={order.number} />
        <MessagePanel
          kind="empty"
          title={t(rejection ? 'approvals.declinedTitle' : 'checkout.ended')}
          text={
            rejection
              ? t('approvals.declinedText', { name: rejection.decidedBy ?? '', reason: rejection.reason ?? '' })
              : t('checkout.endedText')
          }
          action={
            <ButtonLink to="/cart" variant="filled">
              {t('checkout.toCart')}
            </ButtonLink>
          }
        />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={t(isDueInStore(order) ? 'checkout.bookedTitle' : 'checkout.doneTitle')}
        description={order.paidAt || isDueInStore(order) ? undefined : t('checkout.doneText', { number: order.number })}
      />
      {(order.paidAt || isDueInStore(order)) && <Ticket order={order} />}
      <NextSteps order={order} />
    </>
  )
}

/** A paid or billed order whose parcels are on their way, delivered or cancelled. */
function Over({ order }: { order: OrderDetail }) {
  const t = useT()
  const label = useLabel()
  return (
    <>
      <PageHeader title={t('checkout.title')} description={t('checkout.doneText', { number: order.number })} />
      <MessagePanel
        kind="done"
        title={label(orderStatusLabels, order.status)}
        text={t('checkout.overText')}
        action={
          <ButtonLink to="/orders/$id" params={{ id: order.id }} variant="filled">
            {t('checkout.toOrder')}
          </ButtonLink>
        }
      />
    </>
  )
}

function ToPay({ order, refresh }: { order: OrderDetail; refresh: () => unknown }) {
  const t = useT()
  const longDay = useLongDay()
  const waits = order.approval?.request?.status === 'pending' ? order.approval : null
  const title = order.totalMinor === 0 ? 'checkout.confirm' : 'checkout.how'
  return (
    <>
      <PageHeader
        title={t('checkout.title')}
        description={
          <>
            {t('checkout.lead', { number: order.number, count: order.parcelCount })}
            {order.expiresAt && !waits && <Expiry at={order.expiresAt} onOver={refresh} />}
          </>
        }
      />
      <Columns>
        <Panel title={t(waits ? 'approvals.waitsTitle' : title)}>
          {waits ? <WaitsForApproval order={order} approval={waits} /> : <PaymentChoice order={order} />}
        </Panel>
        <Stack>
          <Panel title={t('checkout.howMuch')}>
            <PriceLines lines={order.lines} totalMinor={order.totalMinor} currency={order.currency} />
          </Panel>
          <Panel title={t('checkout.what')}>
            <ParcelLines order={order} />
            {order.pickup && (
              <Note>
                {t('checkout.pickupWhen', {
                  day: longDay(order.pickup.date),
                  window: formatWindow(order.pickup.window),
                })}
                <br />
                {order.pickup.address.line1}, {order.pickup.address.postcode} {order.pickup.address.city}
                {order.pickup.joins && (
                  <>
                    <br />
                    {t('checkout.riderComes')}
                  </>
                )}
              </Note>
            )}
          </Panel>
        </Stack>
      </Columns>
    </>
  )
}

const few = 5

function ParcelLines({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const [all, setAll] = useState(false)
  const visible = all ? order.parcels : order.parcels.slice(0, few)
  return (
    <>
      <LineList>
        {visible.map((parcel) => (
          <li key={parcel.id}>
            <span>
              {parcel.receiver?.contactName}
              <Quiet>
                {parcel.receiver && `${parcel.receiver.postcode} ${parcel.receiver.city}`}
                {parcel.weightGrams !== null && ` · ${format.weight(parcel.weightGrams)}`}
              </Quiet>
            </span>
            <span>{parcel.priceMinor !== null && format.money(parcel.priceMinor, parcel.currency)}</span>
          </li>
        ))}
      </LineList>
      {visible.length < order.parcels.length && (
        <TextButton onClick={() => setAll(true)}>
          {t('checkout.showAll', { count: format.number(order.parcels.length) })}
        </TextButton>
      )}
    </>
  )
}

/** The time left to pay the order. Refetches the order when the time is over. */
function Expiry({ at, onOver }: { at: string; onOver: () => unknown }) {
  const t = useT()
  const secondsLeft = useCountdown(Date.parse(at), serverNow)
  const over = secondsLeft === 0
  useEffect(() => {
    if (!over) return
    void onOver()
    // The job that expires orders runs at intervals.
    const timer = setInterval(() => void onOver(), 10_000)
    return () => clearInterval(timer)
  }, [over, onOver])
  const minutes = Math.floor(secondsLeft / 60)
  const seconds = String(secondsLeft % 60).padStart(2, '0')
  return (
    <span className={classes.expiry} data-soon={secondsLeft < 300} role="timer">
      {over ? t('checkout.over') : t('checkout.timeLeft', { time: `${minutes}:${seconds}` })}
    </span>
  )
}
