import { Button } from '@mantine/core'
import { abandonCheckouts, pendingCheckouts } from '@waybill/contract/orders/checkout'
import { getOrder, listOrders } from '@waybill/contract/orders/orders'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { useSend } from '../../../components/feedback/use-send.ts'
import { ButtonLink, TextLink } from '../../../components/link.tsx'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import classes from './pending-checkouts.module.css'

type Pending = {
  id: string
  number: string
  totalMinor: number
  currency: string
  expiresAt: string | null
  parcelCount: number
  waitsForApproval: boolean
}

/** Unpaid checkouts, each with the way to its payment or back to the cart. Hidden if there are none. */
export function PendingCheckouts() {
  const t = useT()
  const mayPay = useMay('pay')
  const pending = useCall(pendingCheckouts, {})
  const items = pending.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className={classes.root} aria-label={t('pendingCheckout.title', { count: items.length })}>
      <h2 className={classes.title}>{t('pendingCheckout.title', { count: items.length })}</h2>
      <ul className={classes.list}>
        {items.map((order) => (
          <li key={order.id} className={classes.row}>
            <Facts order={order} />
            {mayPay && <Buttons order={order} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Facts({ order }: { order: Pending }) {
  const t = useT()
  const format = useFormat()
  return (
    <div className={classes.facts}>
      <div className={classes.what}>
        <TextLink to="/orders/$id" params={{ id: order.id }}>
          {order.number}
        </TextLink>
        <span>{t('pendingCheckout.parcels', { count: order.parcelCount })}</span>
        <span>{format.money(order.totalMinor, order.currency)}</span>
      </div>
      {order.expiresAt && (
        <div className={classes.until}>
          {t(order.waitsForApproval ? 'pendingCheckout.decideUntil' : 'pendingCheckout.until', {
            time: format.dateTime(order.expiresAt),
          })}
        </div>
      )}
    </div>
  )
}

function Buttons({ order }: { order: Pending }) {
  const t = useT()
  const giveUp = useSend(() => call(abandonCheckouts, { query: { ids: order.id } }), {
    confirm: {
      title: t('pendingCheckout.confirm'),
      message: t('pendingCheckout.confirmText', { number: order.number }),
      action: t('pendingCheckout.back'),
    },
    refresh: [pendingCheckouts, getCart, cartCount, listOrders, getOrder],
    success: ({ parcelIds }) => t('pendingCheckout.done', { count: parcelIds.length }),
  })
  if (order.waitsForApproval) {
    return (
      <div className={classes.buttons}>
        <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }}>
          {t('pendingCheckout.approval')}
        </ButtonLink>
      </div>
    )
  }
  return (
    <div className={classes.buttons}>
      <Button variant="default" loading={giveUp.pending} onClick={() => void giveUp.send()}>
        {t('pendingCheckout.back')}
      </Button>
      <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }} variant="filled">
        {t('pendingCheckout.pay')}
      </ButtonLink>
    </div>
  )
}
