import { useNavigate, useSearch } from '@tanstack/react-router'
import { cartCount, cartTabs, getCart } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { type ReactNode, useState } from 'react'
import { ButtonLink } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { Panel } from '../../../components/layout/boxes.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import classes from './cart.module.css'
import { CartCheckout, type CartTab, useCheckout } from './cart-checkout.tsx'
import { CartTable } from './cart-table.tsx'
import { listExcluded, listInCheckout } from './preselection.ts'

/** The maximum number of parcels in one response. If the cart has more, these are checked out first. */
const most = 200

/** The cart. Pickup and drop-off have a tab each, because they check out separately. */
export function CartPage({ notice }: { notice?: ReactNode }) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const mayCreate = useMay('parcels.create')
  const { tab: tabParam } = useSearch({ from: '/portal/cart' })
  const counts = useCall(cartCount, {})
  // Without a tab in the URL, opens the one that has parcels.
  const defaultTab = counts.data && counts.data.pickup === 0 && counts.data.dropoff > 0 ? 'dropoff' : 'pickup'
  const tab: CartTab = cartTabs.find((name) => name === tabParam) ?? defaultTab
  const create = mayCreate && (
    <ButtonLink to="/parcels/new" variant={counts.data?.count === 0 ? 'filled' : 'default'}>
      {t('cart.newParcel')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader title={t('cart.title')} actions={create} />
      {notice}
      <Tabs
        label={t('list.tabs')}
        tabs={cartTabs.map((name) => ({
          key: name,
          label: t(`cart.tab.${name}`),
          count: counts.data && format.number(counts.data[name]),
        }))}
        current={tab}
        onSelect={(name) => void navigate({ to: '.', search: { tab: name }, resetScroll: false })}
      />
      <TabOfCart key={tab} tab={tab} />
    </>
  )
}

function TabOfCart({ tab }: { tab: CartTab }) {
  const t = useT()
  const format = useFormat()
  const mayPay = useMay('pay')
  const cart = useCall(getCart, { query: { tab, limit: most } })
  const inCheckout = listInCheckout(cart.data?.items ?? [])
  const [changedIds, setExcludedIds] = useState<ReadonlySet<string> | null>(null)
  const excludedIds = listExcluded(cart.data?.items ?? [], changedIds)
  const selection = (cart.data?.items ?? []).filter((parcel: Parcel) => !excludedIds.has(parcel.id))
  const checkout = useCheckout(tab, selection)
  if (cart.error) return <ErrorPanel error={cart.error} retry={() => void cart.refetch()} />
  if (!cart.data) return <Loading />
  const { items, total } = cart.data
  if (items.length === 0) {
    return <MessagePanel kind="empty" title={t(`cart.empty.${tab}`)} text={t('cart.emptyHint')} />
  }
  // Selected parcels show the price of the summary, the others the price with the whole cart.
  const prices = new Map(checkout.summary.data?.parcels.map(({ id, totalMinor }) => [id, totalMinor]))
  return (
    <div className={classes.layout}>
      <div className={classes.main}>
        {total > items.length && (
          <Note>{t('cart.more', { shown: format.number(items.length), total: format.number(total) })}</Note>
        )}
        {inCheckout.length > 0 && <Note>{t('cart.inCheckout', { count: inCheckout.length })}</Note>}
        <CartTable items={items} prices={prices} excludedIds={excludedIds} setExcludedIds={setExcludedIds} />
      </div>
      {mayPay ? (
        <CartCheckout checkout={checkout} />
      ) : (
        <div className={classes.sum}>
          <Panel>
            <Note>{t('paymentClosed.no_permission')}</Note>
          </Panel>
        </div>
      )}
    </div>
  )
}
