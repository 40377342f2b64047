import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { orderStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import { countLimit } from '@waybill/contract/ground/paging'
import { exportOrders, listOrders, type Order } from '@waybill/contract/orders/orders'
import { ButtonLink, TextLink } from '../../components/buttons/link.tsx'
import { OrderPill, OrderRefunds } from '../../components/display/record-pills.tsx'
import { Time } from '../../components/display/time.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { SelectField } from '../../components/fields/select-field.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { DataList } from '../../components/list/data-list.tsx'
import { DownloadExcel } from '../../components/list/download-excel.tsx'
import { useList } from '../../components/list/list-state.ts'
import { getStatusTabs } from '../../components/list/list-toolbar.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useChoices, useLabel } from '../../lib/labels.ts'
import { useMay, useSession } from '../../lib/session.ts'
import { usePaymentMethods } from '../../lib/settings/payment-methods.ts'
import { DossierButton } from '../parcels/dossier/shared/dossier-button.tsx'
import { PendingCheckouts } from './checkout/pending-checkouts.tsx'

const filters = ['paymentMethod', 'from', 'to', 'payable'] as const

/** All checkouts of the account: content, payment and outcome. */
export function OrdersPage() {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  const choices = useChoices()
  const paymentMethods = usePaymentMethods()
  const payable = [{ value: 'true', label: t('parcelsPage.only') }]
  const mayCreate = useMay('parcels.create')
  const isCompany = useSession(({ auth }) => auth.user?.account?.userType === 'corporate')
  // Orders that wait for an approval have this status, too: their pills must not contradict the tab.
  const statuses = choices(orderStatusLabels).map((status) =>
    isCompany && status.value === 'pending_payment' ? { ...status, label: t('ordersPage.unpaidTab') } : status,
  )
  const list = useList(listOrders, { filters, tabField: 'status', defaultSort: '-createdAt' })
  return (
    <>
      <PageHeader
        title={t('ordersPage.title')}
        actions={
          <>
            <DossierButton of={{ month: null }} />
            <DownloadExcel endpoint={exportOrders} narrowing={list.narrowing} />
          </>
        }
      />
      <PendingCheckouts />
      <DataList
        list={list}
        label={t('ordersPage.title')}
        rowKey={(row: Order) => row.id}
        rowName={(row) => row.number}
        tabs={getStatusTabs(t('ordersPage.all'), statuses, list.result.data?.counts)}
        countedTo={countLimit}
        searchLabel={t('ordersPage.search')}
        filters={
          <>
            <SelectField field={list.filter('paymentMethod', t('ordersPage.method'))} choices={paymentMethods} />
            <DateField field={list.filter('from')} />
            <DateField field={list.filter('to')} />
            <SelectField field={list.filter('payable', t('ordersPage.payable'))} choices={payable} />
          </>
        }
        columns={[
          {
            id: 'number',
            header: t('ordersPage.number'),
            sort: 'number',
            card: 'title',
            phone: 'title',
            cell: (row) => (
              <TextLink to="/orders/$id" params={{ id: row.id }} ff="monospace">
                {row.number}
              </TextLink>
            ),
          },
          {
            id: 'created',
            header: t('ordersPage.created'),
            sort: 'createdAt',
            phone: 'detailEnd',
            cell: (row) => <Time at={row.createdAt} />,
          },
          {
            id: 'parcels',
            header: t('ordersPage.parcels'),
            align: 'end',
            // A fee that was paid later has an order without parcels.
            cell: (row) => (row.parcelCount > 0 ? format.number(row.parcelCount) : '–'),
          },
          {
            id: 'method',
            header: t('ordersPage.method'),
            cell: (row) => (row.paymentMethod ? label(paymentMethodLabels, row.paymentMethod) : '–'),
          },
          {
            id: 'status',
            header: t('fields.status'),
            phone: 'detail',
            cell: (row) => (
              <>
                <OrderPill order={row} />
                <OrderRefunds order={row} />
              </>
            ),
          },
          {
            id: 'total',
            header: t('cart.total'),
            sort: 'totalMinor',
            align: 'end',
            phone: 'end',
            cell: (row) => format.money(row.totalMinor, row.currency),
          },
        ]}
        empty={{
          title: t('ordersPage.empty'),
          text: t('ordersPage.emptyHint'),
          action: mayCreate && (
            <ButtonLink to="/parcels/new" variant="filled">
              {t('cart.newParcel')}
            </ButtonLink>
          ),
        }}
      />
    </>
  )
}
