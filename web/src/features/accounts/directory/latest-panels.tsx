import type { AccountDetail } from '@waybill/contract/accounts/directory'
import { getAccountLatest } from '@waybill/contract/payments/account-overview'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { OrderPill, OrderRefunds, ParcelPill } from '../../../components/display/record-pills.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { LineList, Panel } from '../../../components/layout/boxes.tsx'
import { Mono, Note, Quiet } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { OwnerLink } from './owner-link.tsx'

/** The latest orders and parcels. Orders, and parcels without a number, open in a view as the owner. */
export function LatestPanels({ account }: { account: AccountDetail }) {
  const t = useT()
  const format = useFormat()
  const latest = useCall(getAccountLatest, { params: { id: account.id } })
  if (latest.error) return <ErrorPanel error={latest.error} retry={() => void latest.refetch()} />
  if (!latest.data) return <Loading />
  const { orders, parcels } = latest.data
  return (
    <>
      <Panel title={t('accountPage.latestOrders')}>
        {orders.length === 0 && <Note>{t('accountPage.noOrders')}</Note>}
        <LineList hidden={orders.length === 0}>
          {orders.map((order) => (
            <li key={order.id}>
              <span>
                <OwnerLink account={account} path={`/orders/${order.id}`}>
                  <Mono>{order.number}</Mono>
                </OwnerLink>
                <Quiet>
                  <Time at={order.createdAt} /> · {format.money(order.totalMinor, order.currency)}
                </Quiet>
                <OrderRefunds order={order} />
              </span>
              <OrderPill order={order} />
            </li>
          ))}
        </LineList>
      </Panel>
      <Panel title={t('accountPage.latestParcels')}>
        {parcels.length === 0 && <Note>{t('accountPage.noParcels')}</Note>}
        <LineList hidden={parcels.length === 0}>
          {parcels.map((parcel) => (
            <li key={parcel.id}>
              <span>
                {parcel.trackingNumber === null ? (
                  <OwnerLink account={account} path={`/parcels/${parcel.id}`}>
                    <Mono>{t('accountPage.noNumber')}</Mono>
                  </OwnerLink>
                ) : (
                  <StaffParcelLink number={parcel.trackingNumber} />
                )}
                <Quiet>{parcel.receiver?.contactName}</Quiet>
              </span>
              <ParcelPill parcel={parcel} waitsForApproval={parcel.waitsForApproval} />
            </li>
          ))}
        </LineList>
      </Panel>
    </>
  )
}
