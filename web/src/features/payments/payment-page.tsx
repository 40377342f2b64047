import { IconAlertCircle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { Navigate, useParams } from '@tanstack/react-router'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { getPayment, type Payment } from '@waybill/contract/payments/payments'
import { getWallet } from '@waybill/contract/wallet/wallet'
import { useEffect, useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Buttons } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Figure, Note } from '../../components/layout/text.tsx'
import { wayBack } from '../../lib/browser/way-back.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall, useRefresh } from '../../lib/query.ts'
import classes from './payment.module.css'

const askEveryMs = 2_000
const icons = {
  pending: IconClock,
  succeeded: IconCircleCheck,
  failed: IconAlertCircle,
  expired: IconAlertCircle,
} as const

/**
 * The page to which the gateway returns the browser. Polls until the payment has ended, and then shows the next step.
 */
export function PaymentPage() {
  const t = useT()
  const format = useFormat()
  const refresh = useRefresh()
  const { id } = useParams({ from: '/portal/payments/$id' })
  const payment = useCall(getPayment, { params: { id } }, { refetchInterval: askEveryMs, staleTime: 0 })
  const status = payment.data?.status
  // A payment that has failed says nothing about its order: that one can often still be paid.
  const orderId = payment.data?.purpose === 'order' ? payment.data.orderId : null
  const isUnpaid = status === 'failed' || status === 'expired'
  const order = useCall(getOrder, { params: { id: orderId ?? '' } }, { enabled: isUnpaid && !!orderId, staleTime: 0 })
  useEffect(() => {
    if (status === 'succeeded') void refresh(getWallet)
  }, [status, refresh])

  if (payment.error && !payment.data) {
    return (
      <>
        <PageHeader title={t('paymentPage.title')} />
        <ErrorPanel error={payment.error} retry={() => void payment.refetch()} />
      </>
    )
  }
  if (!payment.data) return <Loading />
  const { data } = payment
  // The paid order has a separate page, with the numbers and the next steps. Going back must not lead here again.
  const isPaid = data.status === 'succeeded'
  if (orderId && isPaid && !data.failure) return <Navigate to="/checkout/$orderId" params={{ orderId }} replace />
  // The wallet has the money of a top-up, and money that the order could not use.
  const purpose = isPaid ? 'topup' : data.purpose
  const Icon = icons[data.status]
  // The reason of a failure already says what happens to the money.
  const hint = data.failure || (orderId && data.status === 'expired') ? null : `${data.purpose}.${data.status}`
  return (
    <>
      <PageHeader title={t('paymentPage.title')} />
      <section className={classes.panel} data-status={data.status}>
        <Icon size={40} stroke={1.5} aria-hidden className={classes.icon} />
        <div role="status">
          <h2 className={classes.state}>{t(`paymentPage.${purpose}.${data.status}`)}</h2>
          <Figure>{format.money(data.amountMinor, data.currency)}</Figure>
          {data.failure && <Note>{data.failure}</Note>}
          {hint && <Note>{t(`paymentPage.hint.${hint}`)}</Note>}
          {order.data && (
            <Note>
              {t(`paymentPage.unpaid.${findState(order.data)}`, { time: format.time(order.data.expiresAt ?? '') })}
            </Note>
          )}
        </div>
        {purpose === 'topup' ? (
          <TopUpSteps payment={data} />
        ) : (
          isUnpaid && !order.isLoading && <OrderSteps order={order.data} />
        )}
      </section>
    </>
  )
}

/** Whether an order without this payment can still be paid. */
function findState({ status }: OrderDetail): 'open' | 'over' | 'paid' {
  if (status === 'pending_payment') return 'open'
  return status === 'cancel' ? 'over' : 'paid'
}

/** Without the order, which could not be read: the cart shows what is unpaid. */
function OrderSteps({ order }: { order: OrderDetail | undefined }) {
  const t = useT()
  const state = order && findState(order)
  return (
    <Buttons align="center">
      {order && state === 'open' && (
        <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }} variant="filled">
          {t('paymentPage.payAgain')}
        </ButtonLink>
      )}
      {order && state === 'paid' ? (
        <ButtonLink to="/orders/$id" params={{ id: order.id }} variant="filled">
          {t('checkout.toOrder')}
        </ButtonLink>
      ) : (
        <ButtonLink to="/cart" {...(state === 'open' ? {} : { variant: 'filled' })}>
          {t('paymentPage.toCart')}
        </ButtonLink>
      )}
    </Buttons>
  )
}

function TopUpSteps({ payment }: { payment: Payment }) {
  const t = useT()
  const [back] = useState(wayBack)
  if (payment.status === 'pending') return null
  return (
    <Buttons align="center">
      {payment.status !== 'succeeded' && (
        <ButtonLink
          to="/wallet/top-up"
          search={{ amount: payment.amountMinor, next: back ?? undefined }}
          variant="filled"
        >
          {t('paymentPage.tryAgain')}
        </ButtonLink>
      )}
      {payment.status === 'succeeded' && back && (
        <ButtonLink to={back} variant="filled">
          {t('paymentPage.goOnPaying')}
        </ButtonLink>
      )}
      <ButtonLink to="/wallet" {...(payment.status === 'succeeded' && !back ? { variant: 'filled' } : {})}>
        {t('paymentPage.toWallet')}
      </ButtonLink>
    </Buttons>
  )
}
