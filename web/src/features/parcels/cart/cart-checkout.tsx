import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { getDefaultAddress, type Party } from '@waybill/contract/addresses/addresses'
import type { ResponseOf } from '@waybill/contract/ground/endpoint'
import type { cartTabs } from '@waybill/contract/parcels/cart'
import type { Parcel } from '@waybill/contract/parcels/parcels'
import { isSamePlace } from '@waybill/contract/pickups/pickup-choice'
import { priceSummary } from '@waybill/contract/pricing/pricing'
import { type ReactNode, useState } from 'react'
import { AmountLines } from '../../../components/display/amount-lines.tsx'
import { Loading } from '../../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../../components/feedback/message-panel.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Fold } from '../../../components/layout/fold.tsx'
import { Note } from '../../../components/layout/text.tsx'
import { ApiError } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import { toPartyValues } from '../../addresses/shared/party-values.ts'
import { PriceLines, useServiceName } from '../../pricing/shared/price-lines.tsx'
import { DropOffStations } from '../../stations/shared/drop-off-stations.tsx'
import { changedByCheckout } from '../shared/changed-by-checkout.ts'
import classes from './cart.module.css'
import { CartPickup } from './cart-pickup.tsx'
import { openSlot, type PickupSlot } from './pickup-slots.ts'
import { placeOrder } from './place-order.ts'
import { usePickupClock } from './use-pickup-clock.ts'

/** The two carts: parcels that a rider picks up and parcels that are dropped off. They check out separately. */
export type CartTab = (typeof cartTabs)[number]

/**
 * The state of the checkout of these parcels: address and time of the pickup, and the price. `parcels` are those of
 * `parcelIds` that are shown.
 */
export function useCheckout(tab: CartTab, parcels: readonly Parcel[], parcelIds: readonly string[]) {
  const own = useCall(getDefaultAddress, {}, { enabled: tab === 'pickup' })
  const [pickupAddress, setAddress] = useState<Party | null>(null)
  const [slot, setSlot] = useState<PickupSlot | null>(null)
  // The price is for a pickup at the sender's address.
  const usual = parcels[0]?.sender ?? (own.data?.address ? (toPartyValues(own.data.address) as Party) : null)
  const address = pickupAddress ?? usual
  const clock = usePickupClock(address?.postcode ?? '', address?.country ?? 'my', address ?? {})
  const pickup = tab === 'pickup' && address ? { address, ...openSlot(slot, clock) } : null
  const summary = useCall(
    priceSummary,
    { body: { parcelIds: [...parcelIds], pickup } },
    { enabled: parcelIds.length > 0 && !clock.loading, keepPrevious: true, staleTime: 0 },
  )
  return {
    tab,
    parcels,
    parcelIds,
    address,
    loading: own.isPending,
    setAddress,
    clock,
    slot,
    setSlot,
    pickup,
    summary,
  }
}

/** The messages about the pickup in an error, by field path. */
function findPickupProblems(error: unknown): Readonly<Record<string, string>> {
  const fields = error instanceof ApiError ? error.errors.filter(({ field }) => field.startsWith('pickup')) : []
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]))
}

/** The selected parcels whose sender is at another door than the rider comes to. */
const listElsewhere = (parcels: readonly Parcel[], address: Party | null) =>
  parcels.filter(({ sender }) => address && sender && !isSamePlace(sender, address))

type Props = { checkout: ReturnType<typeof useCheckout>; onLeaveOut: (parcelIds: readonly string[]) => void }

/** The total of the selected parcels, the pickup or the drop-off stations, and the button that places the order. */
export function CartCheckout({ checkout, onLeaveOut }: Props) {
  const t = useT()
  const format = useFormat()
  const navigate = useNavigate()
  const { tab, parcels, parcelIds, address, loading, setAddress, clock, slot, setSlot, pickup, summary } = checkout
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const callOnce = useCallOnce()

  const order = useSend(
    (expectedTotalMinor: number) => placeOrder({ parcelIds, expectedTotalMinor, pickup }, { format, callOnce }),
    {
      refresh: changedByCheckout,
      onSuccess: (order) => order && navigate({ to: '/checkout/$orderId', params: { orderId: order.id } }),
      onError: (error) => {
        const pickupProblems = findPickupProblems(error)
        setProblems(pickupProblems)
        return Object.keys(pickupProblems).length > 0
      },
    },
  )
  const elsewhere = tab === 'pickup' ? listElsewhere(parcels, address) : []
  const priceProblems = findPickupProblems(summary.error)
  function checkOut() {
    if (!summary.data) return
    const addressMissing = tab === 'pickup' && !address
    setProblems(addressMissing ? { 'pickup.address': t('cart.addressNeeded') } : {})
    if (!addressMissing) void order.send(summary.data.totalMinor)
  }

  return (
    <>
      {tab === 'pickup' ? (
        <CartPickup
          address={address}
          loading={loading}
          onAddress={(next) => {
            setAddress(next)
            setProblems({})
          }}
          clock={clock}
          slot={slot}
          onSlot={(next) => {
            setSlot(next)
            setProblems({})
          }}
          problems={{ ...priceProblems, ...problems }}
          elsewhere={elsewhere.length}
          onLeaveOut={() => onLeaveOut(elsewhere.map(({ id }) => id))}
        />
      ) : (
        <Panel className={classes.handOver} title={t('cart.dropOff')}>
          <Note>{t('cart.dropOffHint')}</Note>
          <DropOffStations near={parcels[0]?.sender?.postcode ?? null} />
        </Panel>
      )}
      <aside className={classes.sum} aria-label={t('cart.checkout')}>
        <CartTotal checkout={checkout} />
        {parcelIds.length > 0 && (
          <div className={classes.pay} data-foot>
            {summary.data && (
              <strong aria-hidden className={classes.payTotal} data-stale={summary.isPlaceholderData}>
                {format.money(summary.data.totalMinor, summary.data.currency)}
              </strong>
            )}
            <Button
              variant="filled"
              size="md"
              fullWidth
              loading={order.pending}
              disabled={!summary.data || summary.isPlaceholderData}
              onClick={checkOut}
            >
              {t('cart.checkoutCount', { count: parcelIds.length })}
            </Button>
          </div>
        )}
      </aside>
    </>
  )
}

type TotalProps = Pick<Props, 'checkout'> & { children?: ReactNode }

/** What the selected parcels cost; below it, `children` say why the user cannot check them out. */
export function CartTotal({ checkout: { parcelIds, summary }, children }: TotalProps) {
  const t = useT()
  return (
    <Panel title={t('cart.total')}>
      {parcelIds.length === 0 ? (
        <Note>{t('cart.nothingChosen')}</Note>
      ) : Object.keys(findPickupProblems(summary.error)).length > 0 ? (
        <Note>{t('cart.addressNeeded')}</Note>
      ) : summary.error ? (
        <ErrorPanel error={summary.error} retry={() => void summary.refetch()} />
      ) : summary.data ? (
        <div aria-live="polite" aria-busy={summary.isFetching} data-stale={summary.isPlaceholderData}>
          <Totals summary={summary.data} />
        </div>
      ) : (
        <Loading />
      )}
      {children}
    </Panel>
  )
}

/** The number and the price of parcels by service, with all price lines folded. */
function Totals({ summary }: { summary: ResponseOf<typeof priceSummary> }) {
  const t = useT()
  const format = useFormat()
  const getServiceName = useServiceName()
  const { parcels, lines, totalMinor, currency } = summary
  const byService = new Map<string, { count: number; sum: number }>()
  for (const parcel of parcels) {
    const code = parcel.serviceCode ?? ''
    const { count, sum } = byService.get(code) ?? { count: 0, sum: 0 }
    byService.set(code, { count: count + 1, sum: sum + parcel.totalMinor })
  }
  return (
    <>
      <AmountLines
        lines={[...byService].map(([code, { count, sum }]) => ({
          key: code,
          label: getServiceName(code) ?? t('cart.otherService'),
          detail: t('cart.parcels', { count }),
          amount: format.money(sum, currency),
        }))}
        total={{ label: t('cart.total'), amount: format.money(totalMinor, currency) }}
      />
      <Fold summary={t('cart.lineByLine')}>
        <PriceLines lines={lines} totalMinor={totalMinor} currency={currency} />
      </Fold>
    </>
  )
}
