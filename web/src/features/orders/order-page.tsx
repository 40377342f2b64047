import { useParams } from '@tanstack/react-router'
import {
  deliveryModeLabels,
  orderStatusLabels,
  parcelStatusLabels,
  paymentMethodLabels,
  serviceTypeLabels,
} from '@waybill/contract/enums'
import { getOrder, type OrderDetail } from '@waybill/contract/orders'
import type { Parcel } from '@waybill/contract/parcels'
import { orderStatusLooks, parcelStatusLooks } from '@waybill/contract/status-look'
import { CopyNumber } from '../../components/copy-number.tsx'
import { ButtonLink, TextLink } from '../../components/link.tsx'
import { type Column, ListTable } from '../../components/list/list-table.tsx'
import { Loading } from '../../components/loading.tsx'
import { ErrorPanel } from '../../components/message-panel.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PriceLines } from '../../components/price-lines.tsx'
import { StatusPill } from '../../components/status-pill.tsx'
import { Time } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { InvoiceButtons, NoteButtons } from './documents.tsx'
import { HandOver } from './next-steps.tsx'
import classes from './orders.module.css'

/** One order: its parcels and their papers, what it cost and why, how it was paid. */
export function OrderPage() {
  const t = useT()
  const { id } = useParams({ strict: false }) as { id: string }
  const order = useCall(getOrder, { params: { id } })
  if (order.data) return <Shown order={order.data} />
  return (
    <>
      <PageHeader title={t('ordersPage.one')} />
      {order.error ? <ErrorPanel error={order.error} retry={() => void order.refetch()} /> : <Loading />}
    </>
  )
}

function Shown({ order }: { order: OrderDetail }) {
  const t = useT()
  const label = useLabel()
  const mayPay = useMay('pay')
  const waiting = order.parcels.some(({ status }) => status === 'pending_pickup' || status === 'pending_dropoff')
  const columns = useParcelColumns()
  return (
    <>
      <PageHeader
        title={t('ordersPage.one')}
        description={<CopyNumber value={order.number} />}
        actions={
          order.status === 'pending_payment' &&
          mayPay && (
            <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }} variant="filled">
              {t('ordersPage.payNow')}
            </ButtonLink>
          )
        }
      />
      <div className={classes.layout}>
        <div className={classes.side}>
          <section className={classes.box}>
            <div className={classes.head}>
              <h2>{t('ordersPage.parcels')}</h2>
              <NoteButtons parcels={order.parcels} main={waiting} />
            </div>
            <div className={classes.table}>
              <ListTable
                label={t('ordersPage.parcels')}
                rows={order.parcels}
                rowKey={({ id }) => id}
                rowName={undefined}
                sort={undefined}
                sortBy={() => undefined}
                selection={undefined}
                columns={columns}
              />
            </div>
          </section>
          {waiting && (
            <section className={classes.box}>
              <h2>{t(order.pickup ? 'checkout.riderTitle' : 'checkout.bringTitle')}</h2>
              <div>
                <HandOver order={order} />
              </div>
            </section>
          )}
        </div>
        <div className={classes.side}>
          <section className={classes.box}>
            <h2>{t('ordersPage.payment')}</h2>
            <dl className={classes.facts}>
              <dt>{t('fields.status')}</dt>
              <dd>
                <StatusPill look={orderStatusLooks[order.status]} label={label(orderStatusLabels, order.status)} />
              </dd>
              <dt>{t('ordersPage.created')}</dt>
              <dd>
                <Time at={order.createdAt} relative={false} />
              </dd>
              {order.paidAt && (
                <>
                  <dt>{t('ordersPage.paidAt')}</dt>
                  <dd>
                    <Time at={order.paidAt} relative={false} />
                  </dd>
                </>
              )}
              {order.paymentMethod && (
                <>
                  <dt>{t('ordersPage.method')}</dt>
                  <dd>{label(paymentMethodLabels, order.paymentMethod)}</dd>
                </>
              )}
              {order.invoiceNumber && (
                <>
                  <dt>{t('ordersPage.invoice')}</dt>
                  <dd className={classes.number}>{order.invoiceNumber}</dd>
                </>
              )}
            </dl>
            {order.invoiceNumber && <InvoiceButtons orderId={order.id} />}
          </section>
          <section className={classes.box}>
            <h2>{t('checkout.howMuch')}</h2>
            <PriceLines lines={order.lines} totalMinor={order.totalMinor} currency={order.currency} />
          </section>
        </div>
      </div>
    </>
  )
}

function useParcelColumns(): readonly Column<Parcel>[] {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return [
    {
      id: 'receiver',
      header: t('fields.receiver'),
      card: 'title',
      cell: (row) => (
        <>
          <TextLink to="/parcels/$id" params={{ id: row.id }} className={classes.name}>
            {row.receiver?.contactName ?? t('cart.noName')}
          </TextLink>
          <span className={classes.quiet}>{row.receiver && `${row.receiver.postcode} ${row.receiver.city}`}</span>
        </>
      ),
    },
    {
      id: 'number',
      header: t('fields.trackingNumber'),
      cell: (row) =>
        row.trackingNumber ? (
          <CopyNumber value={row.trackingNumber} shown={format.trackingNumber(row.trackingNumber)} />
        ) : (
          '–'
        ),
    },
    {
      id: 'service',
      header: t('fields.serviceType'),
      cell: (row) => (
        <>
          {row.serviceType && label(serviceTypeLabels, row.serviceType)}
          <span className={classes.quiet}>{row.deliveryMode && label(deliveryModeLabels, row.deliveryMode)}</span>
        </>
      ),
    },
    {
      id: 'status',
      header: t('fields.status'),
      cell: (row) => <StatusPill look={parcelStatusLooks[row.status]} label={label(parcelStatusLabels, row.status)} />,
    },
    {
      id: 'price',
      header: t('cart.price'),
      align: 'end',
      cell: (row) => (row.priceMinor === null ? '–' : format.money(row.priceMinor, row.currency)),
    },
  ]
}
