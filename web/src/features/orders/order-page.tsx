import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { serviceTypeLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { getOrder, isDueInStore, type OrderDetail } from '@waybill/contract/orders/orders'
import { listOutstanding } from '@waybill/contract/parcels/outstanding'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { type ComponentType, useState } from 'react'
import { ButtonLink, TextLink } from '../../components/buttons/link.tsx'
import { CopyNumber } from '../../components/display/copy-number.tsx'
import { OrderPill, ParcelPill } from '../../components/display/record-pills.tsx'
import { Time } from '../../components/display/time.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Buttons, Columns, Panel, Row, Stack } from '../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../components/layout/facts.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { Note, Quiet } from '../../components/layout/text.tsx'
import type { Column } from '../../components/list/column.ts'
import { ListTable, TableFrame } from '../../components/list/list-table.tsx'
import { useRoomBesideTable, useWide } from '../../lib/browser/use-media.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import { DossierButton } from '../parcels/dossier/shared/dossier-button.tsx'
import { PriceLines, useServiceName } from '../pricing/shared/price-lines.tsx'
import { CancelOrder, CancelOrderButton, cancellable } from './cancel-order.tsx'
import { HandOver } from './checkout/next-steps.tsx'
import { SlipButton } from './checkout/pay-in-store.tsx'
import { countToHandOver } from './checkout-step.ts'
import { CreditNotes } from './credit-notes.tsx'
import { InvoiceButtons, NoteButtons } from './documents.tsx'

/** A panel of a higher domain, below the parcels. */
type More = ComponentType<{ id: string }>

/** One order: its parcels and documents, its price, and its payment. */
export function OrderPage({ more }: { more: More }) {
  const t = useT()
  const { id } = useParams({ from: '/portal/orders/$id' })
  const order = useCall(getOrder, { params: { id } })
  if (order.data) return <Shown order={order.data} more={more} />
  return (
    <>
      <PageHeader title={t('ordersPage.one')} />
      {order.error ? <ErrorPanel error={order.error} retry={() => void order.refetch()} /> : <Loading />}
    </>
  )
}

function Shown({ order, more: More }: { order: OrderDetail; more: More }) {
  const t = useT()
  const format = useFormat()
  const mayPay = useMay('pay')
  const mayPayOwed = useMay('pay.owed')
  const getServiceName = useServiceName()
  const hasRoom = useRoomBesideTable()
  const due = usePayable(order)
  const waiting = order.parcels.some(({ status }) => status === 'pending_pickup' || status === 'pending_dropoff')
  const columns = useParcelColumns(order)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [cancelling, setCancelling] = useState(false)
  const open = cancellable(order)
  const mayChoose = open.length > 0 && order.parcels.length > 1
  const some = open.filter(({ id }) => selectedIds.has(id))
  const about = listChargedParcels(order, format.trackingNumber)
  return (
    <>
      <PageHeader
        title={t('ordersPage.one')}
        description={<CopyNumber value={order.number} />}
        actions={
          <>
            {order.parcels.some(({ trackingNumber }) => trackingNumber !== null) && (
              <DossierButton of={{ orderId: order.id }} />
            )}
            <CancelOrderButton order={order} />
            {due.amountMinor > 0 && mayPayOwed && (
              <ButtonLink to="/outstanding" search={{ parcel: due.parcelId }} variant="filled">
                {t('checkout.pay', { amount: format.money(due.amountMinor, order.currency) })}
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
      <Columns template={hasRoom ? 'minmax(0, 1fr) minmax(328px, 28%)' : 'minmax(0, 1fr)'}>
        <Stack>
          {order.parcelCount === 0 && about.size > 0 && <ChargeFor numbersById={about} />}
          {order.parcelCount > 0 && order.parcels.length === 0 && (
            <Panel title={t('ordersPage.parcels')}>
              <Note>{t('ordersPage.parcelsLeft', { count: order.parcelCount })}</Note>
            </Panel>
          )}
          <Panel hidden={order.parcels.length === 0}>
            <Row justify="between">
              <h2>{t('ordersPage.parcels')}</h2>
              <NoteButtons parcels={order.parcels} main={waiting} />
            </Row>
            <TableFrame>
              <ListTable
                dense
                label={t('ordersPage.parcels')}
                rows={order.parcels}
                rowKey={({ id }) => id}
                rowName={(row) => row.trackingNumber ?? row.receiver?.contactName ?? row.id}
                sort={undefined}
                sortBy={() => undefined}
                // To cancel some of many parcels, the user selects them. A single parcel uses the button above.
                selection={
                  mayChoose
                    ? { ids: selectedIds, select: setSelectedIds, isClosed: (row) => !open.includes(row) }
                    : undefined
                }
                columns={columns}
              />
            </TableFrame>
            {mayChoose && (
              <Row justify="between">
                <Note>{t('ordersPage.undo')}</Note>
                {some.length > 0 && (
                  <Button onClick={() => setCancelling(true)}>{t('cancelParcel.act', { count: some.length })}</Button>
                )}
              </Row>
            )}
            {cancelling && (
              <CancelOrder
                order={order}
                parcels={some}
                onClose={() => {
                  setCancelling(false)
                  setSelectedIds(new Set())
                }}
              />
            )}
          </Panel>
          {waiting && (
            <Panel
              title={t(order.pickup ? 'checkout.riderTitle' : 'checkout.bringTitle', { count: countToHandOver(order) })}
            >
              <Stack gap={12}>
                <HandOver order={order} />
              </Stack>
            </Panel>
          )}
          <More id={order.id} />
        </Stack>
        <Stack>
          <Panel title={t('ordersPage.payment')}>
            <PaymentFacts order={order} disputedMinor={due.disputedMinor} />
            {isDueInStore(order) && (
              <div>
                <SlipButton order={order} />
              </div>
            )}
            {order.invoiceNumber && <InvoiceButtons orderId={order.id} />}
          </Panel>
          <CreditNotes order={order} />
          <Panel title={t('checkout.howMuch')}>
            <PriceLines
              lines={order.lines}
              totalMinor={order.totalMinor}
              currency={order.currency}
              detail={({ basis }) => about.get(String(basis.parcelId)) ?? getServiceName(basis.serviceCode)}
            />
          </Panel>
        </Stack>
      </Columns>
    </>
  )
}

/** The status, times, method and invoice of an order's payment, and what is still due. */
function PaymentFacts({ order, disputedMinor }: { order: OrderDetail; disputedMinor: number }) {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const dueMinor = sumDue(order.parcels)
  return (
    <Facts>
      <Fact label={t('fields.status')}>
        <OrderPill order={order} />
      </Fact>
      <Fact label={t('ordersPage.created')}>
        <Time at={order.createdAt} relative={false} />
      </Fact>
      {order.paidAt && (
        <Fact label={t('ordersPage.paidAt')}>
          <Time at={order.paidAt} relative={false} />
        </Fact>
      )}
      {order.paymentMethod && (
        <Fact label={t('ordersPage.method')}>{label(paymentMethodLabels, order.paymentMethod)}</Fact>
      )}
      {order.invoiceNumber && <Fact label={t('ordersPage.invoice')}>{order.invoiceNumber}</Fact>}
      {order.status === 'pending_payment' && !order.waitsForApproval && order.expiresAt && (
        <Fact label={t('ordersPage.payBy')}>
          <Time at={order.expiresAt} relative={false} />
        </Fact>
      )}
      {/* An unpaid order owes its total, which is below. */}
      {order.paidAt && dueMinor > 0 && (
        <Fact label={t('parcelsPage.due')}>
          {format.money(dueMinor, order.currency)}
          {disputedMinor > 0 && (
            <Quiet>
              {disputedMinor === dueMinor
                ? t('weighing.state.contested')
                : t('ordersPage.disputedPart', { amount: format.money(disputedMinor, order.currency) })}
            </Quiet>
          )}
        </Fact>
      )}
    </Facts>
  )
}

/** The numbers of the parcels that a fee or a weight difference is for. Such an order has no parcels but names them. */
function listChargedParcels({ lines }: OrderDetail, format: (number: string) => string): ReadonlyMap<string, string> {
  return new Map(
    lines.flatMap(({ basis: { parcelId, trackingNumber } }) =>
      typeof parcelId === 'string' ? [[parcelId, format(String(trackingNumber ?? ''))] as const] : [],
    ),
  )
}

/** Links to the parcels that a fee or a weight difference is for. */
function ChargeFor({ numbersById }: { numbersById: ReadonlyMap<string, string> }) {
  const t = useT()
  return (
    <Panel>
      <Note>{t('ordersPage.chargeFor', { count: numbersById.size })}</Note>
      <Buttons>
        {[...numbersById].map(([id, number]) => (
          <ButtonLink key={id} to="/parcels/$id" params={{ id }}>
            {numbersById.size === 1 ? t('ordersPage.toParcel') : number}
          </ButtonLink>
        ))}
      </Buttons>
    </Panel>
  )
}

const sumDue = (parcels: readonly Parcel[]) => parcels.reduce((sum, { amountDueMinor }) => sum + amountDueMinor, 0)

/**
 * The amount due of an order and the first parcel that it is due for, without the differences that the sender disputes:
 * those are in `disputedMinor`.
 */
function usePayable({ parcels }: OrderDetail) {
  const unpaid = parcels.filter(({ amountDueMinor }) => amountDueMinor > 0)
  const outstanding = useCall(listOutstanding, { query: { limit: 200 } }, { enabled: unpaid.length > 0 })
  const contestedIds = (outstanding.data?.items ?? [])
    .filter(({ weighingState }) => weighingState === 'contested')
    .map(({ parcelId }) => parcelId)
  const payable = outstanding.data ? unpaid.filter(({ id }) => !contestedIds.includes(id)) : []
  return {
    amountMinor: sumDue(payable),
    parcelId: payable[0]?.id,
    disputedMinor: sumDue(unpaid.filter(({ id }) => contestedIds.includes(id))),
  }
}

function useParcelColumns({ parcels, waitsForApproval }: OrderDetail): readonly Column<Parcel>[] {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  // Without the service, which the prices name too, the numbers fit next to the panels.
  const isWide = useWide()
  const numberColumn: Column<Parcel> = {
    id: 'number',
    header: t('fields.trackingNumber'),
    whole: true,
    cell: (row) =>
      row.trackingNumber ? (
        <CopyNumber value={row.trackingNumber} text={format.trackingNumber(row.trackingNumber)} />
      ) : (
        '–'
      ),
  }
  const serviceColumn: Column<Parcel> = {
    id: 'service',
    minWidth: 72,
    header: t('fields.serviceType'),
    cell: (row) => row.serviceType && label(serviceTypeLabels, row.serviceType),
  }
  return [
    {
      id: 'receiver',
      header: t('fields.receiver'),
      card: 'title',
      phone: 'title',
      minWidth: isWide ? 134 : 100,
      cell: (row) => (
        <>
          <TextLink to="/parcels/$id" params={{ id: row.id }} fw={600}>
            {row.receiver?.contactName ?? t('cart.noName')}
          </TextLink>
          <Quiet>{row.receiver && `${row.receiver.postcode} ${row.receiver.city}`}</Quiet>
        </>
      ),
    },
    // There are no numbers before the payment.
    ...(parcels.some(({ trackingNumber }) => trackingNumber !== null) ? [numberColumn] : []),
    ...(isWide ? [serviceColumn] : []),
    {
      id: 'status',
      header: t('fields.status'),
      phone: 'detail',
      cell: (row) => (
        <ParcelPill parcel={row} waitsForApproval={waitsForApproval && row.status === 'pending_payment'} />
      ),
    },
    {
      id: 'price',
      header: t('cart.price'),
      align: 'end',
      phone: 'end',
      cell: (row) => (row.priceMinor === null ? '–' : format.money(row.priceMinor, row.currency)),
    },
  ]
}
