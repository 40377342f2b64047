import { paymentMethodLabels, taskStatusLabels } from '@waybill/contract/ground/enums/enums'
import { getOrderForStaff, type OrderVisit } from '@waybill/contract/orders/orders'
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

/** The order of a parcel for staff: how it is paid, and the visits of its riders. */
export function StaffOrderPanel({ id }: { id: string }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const mayOperate = useMay('staff.operate')
  const mayRefund = useMay('staff.finance')
  const { data: order, error, refetch } = useCall(getOrderForStaff, { params: { id } })
  if (!order) {
    return (
      <Panel title={t('ordersPage.one')}>
        {error ? <ErrorPanel error={error} retry={() => void refetch()} /> : <Loading />}
      </Panel>
    )
  }
  const refundedMinor = order.refundedMinor - order.refundPendingMinor
  const pendingRefund = order.refundPendingMinor > 0 && format.money(order.refundPendingMinor, order.currency)
  return (
    <Panel title={t('ordersPage.one')}>
      <Facts>
        <Fact label={t('staffParcel.number')}>{order.number}</Fact>
        <Fact label={t('fields.status')}>
          <OrderPill order={order} />
        </Fact>
        <Fact label={t('parcelPage.total')}>{format.money(order.totalMinor, order.currency)}</Fact>
        <Fact label={t('ordersPage.refunded')}>{refundedMinor > 0 && format.money(refundedMinor, order.currency)}</Fact>
        <Fact label={t('refund.status.requested')}>
          {pendingRefund && mayRefund ? (
            <TextLink to="/staff/finance" search={{ part: 'refunds', q: order.number }}>
              {pendingRefund}
            </TextLink>
          ) : (
            pendingRefund
          )}
        </Fact>
        <Fact label={t('ordersPage.method')}>
          {order.paymentMethod && label(paymentMethodLabels, order.paymentMethod)}
        </Fact>
        <Fact label={t('ordersPage.paidAt')}>{order.paidAt && <Time at={order.paidAt} relative={false} />}</Fact>
        <Fact label={t('ordersPage.invoice')}>{order.invoiceNumber}</Fact>
        <Fact label={t('ordersPage.parcels')}>{format.number(order.parcelCount)}</Fact>
        <Fact label={t('parcelPage.createdBy')}>{order.createdByName}</Fact>
        <Fact label={t('fields.pickup')}>
          {order.visits.length > 0 &&
            order.visits.map((visit) => <Visit key={visit.id} visit={visit} linked={mayOperate} />)}
        </Fact>
      </Facts>
    </Panel>
  )
}

/** `linked`: the reader may open the page of pickups. */
function Visit({ visit: { number, status, date, window }, linked }: { visit: OrderVisit; linked: boolean }) {
  const label = useLabel()
  const longDay = useLongDay()
  return (
    <div>
      {linked ? (
        <TextLink to="/staff/pickups" search={{ no: number }}>
          {number}
        </TextLink>
      ) : (
        number
      )}{' '}
      · {label(taskStatusLabels, status)}
      <div>{[longDay(date), formatWindow(window)].join(' · ')}</div>
    </div>
  )
}
