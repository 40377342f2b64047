import { Button } from '@mantine/core'
import { getBilling, payCorporate } from '@waybill/contract/orders/monthly-billing'
import { getOrder, listOrders, type OrderDetail } from '@waybill/contract/orders/orders'
import { cartCount, getCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { useSend } from '../../../components/feedback/use-send.ts'
import { notifyPaymentProblem } from '../../../components/payment-problem.ts'
import { call } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOnce } from '../../../lib/once.ts'
import { useChanged } from '../../../lib/query.ts'
import { storeAwb } from '../../../lib/session.ts'
import classes from '../orders.module.css'

/** Has the order billed to the company by the month. */
export function MonthlyBilling({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const changed = useChanged()
  const once = useOnce()
  const charged = (error: unknown) => notifyPaymentProblem(error, 'charge')
  const bill = useSend(
    async () => {
      try {
        const asked = { params: { id: order.id }, body: { expectedTotalMinor: order.totalMinor } }
        await once(asked, (request) => call(payCorporate, request))
      } finally {
        await changed(getOrder, getBilling)
      }
      storeAwb(order.parcels.map(({ id }) => id))
      await changed(getCart, cartCount, listOrders, listParcels)
    },
    { onError: charged },
  )
  return (
    <div className={classes.pay}>
      <p className={classes.note}>{t('billing.payHint')}</p>
      <div className={classes.buttons}>
        <Button variant="filled" size="md" loading={bill.pending} onClick={() => void bill.send()}>
          {t('billing.pay', { amount: format.money(order.totalMinor, order.currency) })}
        </Button>
      </div>
    </div>
  )
}
