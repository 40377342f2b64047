import { useNavigate, useSearch } from '@tanstack/react-router'
import { draftStatuses } from '@waybill/contract/ground/status/parcel-status'
import { cartCount, cartTabs, getCart, listCartIds } from '@waybill/contract/parcels/cart'
import { getParcels, type Parcel } from '@waybill/contract/parcels/parcels'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { type ReactNode, useState } from 'react'
import { useWhyClosed } from '../../../components/access/why-closed.ts'
import { ButtonLink, TextButton } from '../../../components/buttons/link.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel, MessagePanel } from '../../../components/feedback/message-panel.tsx'
import { PageHeader } from '../../../components/layout/page-header.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { useMay } from '../../../lib/session.ts'
import classes from './cart.module.css'
import { CartCheckout, type CartTab, CartTotal, useCheckout } from './cart-checkout.tsx'
import { CartTable } from './cart-table.tsx'
import { listExcluded, listInCheckout } from './preselection.ts'

/** The maximum number of parcels in one response. If the cart has more, all of them can be selected by their ids. */
const most = 200

/** The cart. Pickup and drop-off have a tab each, because they check out separately. */
export function CartPage({ notice }: { notice?: ReactNode }) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const mayCreate = useMay('parcels.create')
  const { tab: tabParam } = useSearch({ from: '/portal/cart' })
  const counts = useCall(cartCount, {})
  // Without a tab in the URL, opens the one that has parcels. It stays open when they are ordered elsewhere.
  const [openTab, setOpenTab] = useState<CartTab | null>(null)
  const defaultTab = counts.data && counts.data.pickup === 0 && counts.data.dropoff > 0 ? 'dropoff' : 'pickup'
  if (openTab === null && counts.data && counts.data[defaultTab] > 0) setOpenTab(defaultTab)
  const tab: CartTab = cartTabs.find((name) => name === tabParam) ?? openTab ?? defaultTab
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
  const whyClosed = useWhyClosed('paymentClosed.no_permission')
  const format = useFormat()
  const mayPay = useMay('pay')
  const cart = useCall(getCart, { query: { tab, limit: most } })
  const inCheckout = listInCheckout(cart.data?.items ?? [])
  const [changedIds, setExcludedIds] = useState<ReadonlySet<string> | null>(null)
  const excludedIds = listExcluded(cart.data?.items ?? [], changedIds)
  const selection = (cart.data?.items ?? []).filter((parcel: Parcel) => !excludedIds.has(parcel.id))
  const [isWhole, setIsWhole] = useState(false)
  const whole = useCall(listCartIds, { query: { tab } }, { enabled: isWhole, staleTime: 0 })
  const selectedIds = isWhole
    ? (whole.data?.ids ?? []).filter((id) => !changedIds?.has(id))
    : selection.map(({ id }) => id)
  const checkout = useCheckout(tab, selection, selectedIds)
  const prices = usePrices(cart.data?.items ?? [], excludedIds, checkout)
  // Only a current list counts: an old one may have parcels that the user has just paid for.
  const isCurrent = cart.data !== undefined && !cart.isFetching && !cart.isStale
  const [lastIds, setLastIds] = useState<readonly string[]>([])
  const ids = isCurrent ? cart.data.items.map(({ id }) => id) : []
  if (ids.length > 0 && ids.join() !== lastIds.join()) setLastIds(ids)
  if (cart.error) return <ErrorPanel error={cart.error} retry={() => void cart.refetch()} />
  if (!cart.data) return <Loading />
  const { items, total } = cart.data
  if (items.length === 0) return <EmptyTab tab={tab} lastIds={lastIds} />
  return (
    <div className={classes.layout}>
      <div className={classes.main}>
        {total > items.length && (
          <Note>
            {isWhole && whole.data
              ? t('cart.wholeChosen', { count: format.number(selectedIds.length) })
              : t('cart.more', { shown: format.number(items.length), total: format.number(total) })}{' '}
            <TextButton onClick={() => setIsWhole(!isWhole)}>
              {isWhole
                ? t('cart.chooseShown', { count: format.number(items.length) })
                : t('cart.chooseWhole', { count: format.number(total) })}
            </TextButton>
          </Note>
        )}
        {isWhole && whole.error && <ErrorPanel error={whole.error} retry={() => void whole.refetch()} />}
        {inCheckout.length > 0 && <Note>{t('cart.inCheckout', { count: inCheckout.length })}</Note>}
        <CartTable
          items={items}
          prices={prices}
          excludedIds={excludedIds}
          setExcludedIds={setExcludedIds}
          wholeIds={isWhole ? selectedIds : null}
        />
      </div>
      {mayPay ? (
        <CartCheckout checkout={checkout} onLeaveOut={(ids) => setExcludedIds(new Set([...excludedIds, ...ids]))} />
      ) : (
        <aside className={classes.sum} aria-label={t('cart.total')}>
          <CartTotal checkout={checkout}>
            <Note>{t(whyClosed)}</Note>
          </CartTotal>
        </aside>
      )}
    </div>
  )
}

/**
 * What each parcel costs: a selected one with the others that are selected, and any other one with all that are in no
 * checkout, at the chosen time of the pickup. The price of a parcel in an open checkout is that of its order.
 */
function usePrices(
  items: readonly Parcel[],
  excludedIds: ReadonlySet<string>,
  { pickup, summary, clock }: ReturnType<typeof useCheckout>,
): ReadonlyMap<string, number> {
  const unordered = items.filter(({ orderId }) => orderId === null)
  const all = useCall(
    priceSummary,
    { body: { parcelIds: unordered.map(({ id }) => id), pickup } },
    { enabled: !clock.loading && unordered.some(({ id }) => excludedIds.has(id)), keepPrevious: true, staleTime: 0 },
  )
  const isExcluded = ({ id }: { id: string }) => excludedIds.has(id)
  const excluded = (all.data?.parcels ?? []).filter(isExcluded)
  const selected = (summary.data?.parcels ?? []).filter((parcel) => !isExcluded(parcel))
  return new Map([...excluded, ...selected].map(({ id, totalMinor }) => [id, totalMinor]))
}

const notOrdered: readonly Parcel['status'][] = [...draftStatuses, 'cancel']

/** A tab without parcels. If those that it had were ordered elsewhere, it says so. */
function EmptyTab({ tab, lastIds }: { tab: CartTab; lastIds: readonly string[] }) {
  const t = useT()
  const last = useCall(getParcels, { params: { ids: lastIds.join() } }, { enabled: lastIds.length > 0 })
  const ordered = (last.data?.items ?? []).filter(({ status }) => !notOrdered.includes(status))
  const orderId = ordered[0]?.orderId
  if (lastIds.length > 0 && last.isPending) return <Loading />
  if (!orderId) return <MessagePanel kind="empty" title={t(`cart.empty.${tab}`)} text={t('cart.emptyHint')} />
  return (
    <MessagePanel
      kind="done"
      title={t('cart.ordered', { count: ordered.length })}
      text={t('cart.orderedText')}
      action={
        <ButtonLink to="/orders/$id" params={{ id: orderId }}>
          {t('checkout.toOrder')}
        </ButtonLink>
      }
    />
  )
}
