import { Button } from '@mantine/core'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import { listOutstanding, payInStore, printPaymentSlip } from '@waybill/contract/parcels/outstanding'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Notice } from '../../../components/layout/text.tsx'
import { openDocument } from '../../../lib/download.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { changedByCheckout } from '../../parcels/shared/changed-by-checkout.ts'
import { useExplainProblem } from './use-explain-problem.ts'

/** Books the order to be paid at the counter. */
export function StorePayment({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const explainProblem = useExplainProblem(order.id)
  const book = useSend(
    () => callOnce(payInStore, { params: { id: order.id }, body: { expectedTotalMinor: order.totalMinor } }),
    {
      refresh: [...changedByCheckout, listOutstanding],
      refreshOnError: [getOrder],
      onError: (error) => explainProblem(error, 'booking'),
    },
  )
  return (
    <Notice as="div" tone="waiting">
      <p>
        {t('payInStore.text', {
          amount: format.money(order.totalMinor, order.currency),
          count: order.parcelCount,
        })}
      </p>
      <Button variant="filled" size="md" loading={book.pending} onClick={() => void book.send()}>
        {t('payInStore.book')}
      </Button>
    </Notice>
  )
}

/** The slip for the counter, of an order that is to be paid there. */
export function SlipButton({ order, main = false }: { order: OrderDetail; main?: boolean }) {
  const t = useT()
  const open = useSend(() => openDocument(printPaymentSlip, { params: { id: order.id } }))
  return (
    <Button variant={main ? 'filled' : 'default'} loading={open.pending} onClick={() => void open.send()}>
      {t('outstandingPage.slip')}
    </Button>
  )
}
