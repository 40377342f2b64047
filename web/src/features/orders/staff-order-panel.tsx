import { paymentMethodLabels } from '@waybill/contract/ground/enums'
import { getOrderForStaff } from '@waybill/contract/orders/orders'
import { TextLink } from '../../components/buttons/link.tsx'
import { useLongDay } from '../../components/display/line-breaks.ts'
import { OrderPill } from '../../components/display/record-pills.tsx'
import { Time } from '../../components/display/time.tsx'
import { formatWindow } from '../../components/display/time-window.ts'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Panel } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'

/** The order of a parcel for staff: how it is paid, and its pickup. */
export function StaffOrderPanel({ id }: { id: string }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const longDay = useLongDay()
  const mayOperate = useMay('staff.operate')
  const { data: order, error, refetch } = useCall(getOrderForStaff, { params: { id } })
  if (!order) {
    return (
      <Panel title={t('ordersPage.one')}>
        {error ? <ErrorPanel error={error} retry={() => void refetch()} /> : <Loading />}
      </Panel>
    )
  }
  const { pickup } = order
  return (
    <Panel title={t('ordersPage.one')}>
      <Facts>
        <Fact label={t('staffParcel.number')}>{order.number}</Fact>
        <Fact label={t('fields.status')}>
          <OrderPill order={order} />
        </Fact>
        <Fact label={t('parcelPage.total')}>{format.money(order.totalMinor, order.currency)}</Fact>
        <Fact label={t('ordersPage.refunded')}>
          {order.refundedMinor > 0 && format.money(order.refundedMinor, order.currency)}
        </Fact>
        <Fact label={t('ordersPage.method')}>
          {order.paymentMethod && label(paymentMethodLabels, order.paymentMethod)}
        </Fact>
        <Fact label={t('ordersPage.paidAt')}>{order.paidAt && <Time at={order.paidAt} relative={false} />}</Fact>
        <Fact label={t('ordersPage.invoice')}>{order.invoiceNumber}</Fact>
        <Fact label={t('ordersPage.parcels')}>{format.number(order.parcelCount)}</Fact>
        <Fact label={t('parcelPage.createdBy')}>{order.createdByName}</Fact>
        {pickup && (
          <Fact label={t('fields.pickup')}>
            {pickup.number && mayOperate ? (
              <TextLink to="/staff/pickups" search={{ no: pickup.number }}>
                {pickup.number}
              </TextLink>
            ) : (
              pickup.number
            )}
            <div>{[longDay(pickup.date), formatWindow(pickup.window)].join(' · ')}</div>
          </Fact>
        )}
      </Facts>
    </Panel>
  )
}
