import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import {
  deliveryModeLabels,
  parcelStatusLabels,
  paymentMethodLabels,
  serviceTypeLabels,
  statusLabelOf,
} from '@waybill/contract/ground/enums'
import { parcelStatusLooks } from '@waybill/contract/ground/status-look'
import { getOrder, type OrderDetail } from '@waybill/contract/orders/orders'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
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
import { useLanguage, useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { CancelOrder, CancelOrderButton, cancellable } from './cancel-order.tsx'
import { HandOver } from './checkout/next-steps.tsx'
import { SlipButton } from './checkout/pay-in-store.tsx'
import { CreditNotes } from './credit-notes.tsx'
import { InvoiceButtons, NoteButtons } from './documents.tsx'
import { OrderPill } from './order-pill.tsx'
import classes from './orders.module.css'

/** One order: its parcels and their papers, what it cost and why, how it was paid. */
export function OrderPage() {
  const t = useT()
  const { id } = useParams({ from: '/portal/orders/$id' })
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
  const format = useFormat()
  const label = useLabel()
  const mayPay = useMay('pay')
  const dueMinor = order.parcels.reduce((sum, { amountDueMinor }) => sum + amountDueMinor, 0)
  const due = order.parcels.find(({ amountDueMinor }) => amountDueMinor > 0)
  const waiting = order.parcels.some(({ status }) => status === 'pending_pickup' || status === 'pending_dropoff')
  const columns = useParcelColumns()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [cancelling, setCancelling] = useState(false)
  const open = cancellable(order)
  const mayChoose = open.length > 0 && order.parcels.length > 1
  const some = open.filter(({ id }) => chosen.has(id))
  // The fee of a recall or a return is an order without parcels.
  const about = order.lines.find(({ basis }) => typeof basis.parcelId === 'string')?.basis.parcelId
  return (
    <>
      <PageHeader
        title={t('ordersPage.one')}
        description={<CopyNumber value={order.number} />}
        actions={
          <>
            <CancelOrderButton order={order} />
            {dueMinor > 0 && mayPay && (
              <ButtonLink to="/outstanding" search={{ parcel: due?.id }} variant="filled">
                {t('checkout.pay', { amount: format.money(dueMinor, order.currency) })}
              </ButtonLink>
            )}
            {order.waitsForApproval && (
              <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }}>
                {t('pendingCheckout.approval')}
              </ButtonLink>
            )}
            {order.status === 'pending_payment' && !order.waitsForApproval && mayPay && (
              <ButtonLink to="/checkout/$orderId" params={{ orderId: order.id }} variant="filled">
                {t('ordersPage.payNow')}
              </ButtonLink>
            )}
          </>
        }
      />
      <div className={classes.layout}>
        <div className={classes.side}>
          {order.parcelCount === 0 && typeof about === 'string' && (
            <section className={classes.box}>
              <p className={classes.note}>{t('ordersPage.chargeFor')}</p>
              <div className={classes.buttons}>
                <ButtonLink to="/parcels/$id" params={{ id: about }}>
                  {t('ordersPage.toParcel')}
                </ButtonLink>
              </div>
            </section>
          )}
          <section className={classes.box} hidden={order.parcelCount === 0}>
            <div className={classes.head}>
              <h2>{t('ordersPage.parcels')}</h2>
              <NoteButtons parcels={order.parcels} main={waiting} />
            </div>
            <div className={classes.table}>
              <ListTable
                label={t('ordersPage.parcels')}
                rows={order.parcels}
                rowKey={({ id }) => id}
                rowName={(row) => row.trackingNumber ?? row.receiver?.contactName ?? row.id}
                sort={undefined}
                sortBy={() => undefined}
                // Whoever wants to cancel some of many chooses them; one alone goes by the button above.
                selection={mayChoose ? { ids: chosen, select: setChosen } : undefined}
                columns={columns}
              />
            </div>
            {mayChoose && (
              <div className={classes.head}>
                <p className={classes.note}>{t('ordersPage.undo')}</p>
                {some.length > 0 && (
                  <Button onClick={() => setCancelling(true)}>{t('cancelParcel.act', { count: some.length })}</Button>
                )}
              </div>
            )}
            {cancelling && (
              <CancelOrder
                order={order}
                parcels={some}
                onClose={() => {
                  setCancelling(false)
                  setChosen(new Set())
                }}
              />
            )}
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
                <OrderPill order={order} />
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
            {order.status === 'outstanding' && order.paymentMethod === 'store' && (
              <div>
                <SlipButton order={order} />
              </div>
            )}
            {order.invoiceNumber && <InvoiceButtons orderId={order.id} />}
          </section>
          <CreditNotes order={order} />
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
  const language = useLanguage()
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
      cell: (row) => (
        <StatusPill
          look={parcelStatusLooks[row.status]}
          label={statusLabelOf(parcelStatusLabels, row.status, row.leg, language)}
        />
      ),
    },
    {
      id: 'price',
      header: t('cart.price'),
      align: 'end',
      cell: (row) => (row.priceMinor === null ? '–' : format.money(row.priceMinor, row.currency)),
    },
  ]
}
