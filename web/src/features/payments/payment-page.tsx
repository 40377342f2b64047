import { IconAlertCircle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { Navigate, useParams } from '@tanstack/react-router'
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
  if (data.purpose === 'order' && data.orderId && data.status === 'succeeded')
    return <Navigate to="/checkout/$orderId" params={{ orderId: data.orderId }} replace />
  const Icon = icons[data.status]
  return (
    <>
      <PageHeader title={t('paymentPage.title')} />
      <section className={classes.panel} data-status={data.status}>
        <Icon size={40} stroke={1.5} aria-hidden className={classes.icon} />
        <div role="status">
          <h2 className={classes.state}>{t(`paymentPage.${data.purpose}.${data.status}`)}</h2>
          <Figure>{format.money(data.amountMinor, data.currency)}</Figure>
          {data.failure && <Note>{data.failure}</Note>}
          <Note>{t(`paymentPage.hint.${data.purpose}.${data.status}`)}</Note>
        </div>
        <NextSteps payment={data} />
      </section>
    </>
  )
}

function NextSteps({ payment }: { payment: Payment }) {
  const t = useT()
  const [back] = useState(wayBack)
  if (payment.status === 'pending') return null
  if (payment.purpose === 'order' && payment.orderId) {
    return (
      <Buttons align="center">
        <ButtonLink to="/cart" variant="filled">
          {t('paymentPage.toCart')}
        </ButtonLink>
      </Buttons>
    )
  }
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
