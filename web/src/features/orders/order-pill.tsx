import { orderStatusLabels } from '@waybill/contract/ground/enums'
import { orderStatusLooks } from '@waybill/contract/ground/status-look'
import type { Order } from '@waybill/contract/orders/orders'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'

type Facts = Pick<Order, 'status' | 'paidMinor' | 'totalMinor' | 'waitsForApproval'>

/**
 * An order's status. One that waits for an approval, or a paid one that waits for the difference of a re-weighed
 * parcel, must not look unpaid.
 */
export function OrderPill({ order }: { order: Facts }) {
  const t = useT()
  const label = useLabel()
  const { status, paidMinor, totalMinor, waitsForApproval } = order
  const differs = status === 'outstanding' && paidMinor > 0 && paidMinor >= totalMinor
  const words = waitsForApproval ? t('approvals.waitsTitle') : differs ? t('ordersPage.differenceDue') : null
  return <StatusPill look={orderStatusLooks[status]} label={words ?? label(orderStatusLabels, status)} />
}
