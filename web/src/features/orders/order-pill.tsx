import { orderStatusLabels } from '@waybill/contract/ground/enums'
import { orderStatusLooks } from '@waybill/contract/ground/status-look'
import type { Order } from '@waybill/contract/orders/orders'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'

/** An order's status. A paid order that waits for the difference of a re-weighed parcel must not look unpaid. */
export function OrderPill({ order }: { order: Pick<Order, 'status' | 'paidMinor' | 'totalMinor'> }) {
  const t = useT()
  const label = useLabel()
  const { status, paidMinor, totalMinor } = order
  const differs = status === 'outstanding' && paidMinor > 0 && paidMinor >= totalMinor
  return (
    <StatusPill
      look={orderStatusLooks[status]}
      label={differs ? t('ordersPage.differenceDue') : label(orderStatusLabels, status)}
    />
  )
}
