import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { addToCart, removeParcels, takeOutOfCart } from '@waybill/contract/parcels/cart'
import type { ParcelAction, ParcelDetail } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { useAwaitedPickup } from './awaited-pickup.ts'
import { DossierButton } from './dossier/shared/dossier-button.tsx'
import { FeeAction } from './fee-action.tsx'
import { usePrintNotes } from './labels/shared/print-notes.tsx'
import { CancelParcels } from './list/cancel-parcels.tsx'
import { findMainAction } from './main-action.ts'
import { changedByCheckout } from './shared/changed-by-checkout.ts'
import { ShareTracking } from './shared/share-tracking.tsx'

type Props = {
  parcel: ParcelDetail
  /** The main button that fits the state, or all others. */
  show: 'main' | 'others'
}

const notInCart: readonly ParcelAction[] = ['cancel', 'remove', 'repeat']

/** Buttons for the actions that the server allows with this parcel now. */
export function ParcelActions({ parcel, show }: Props) {
  const t = useT()
  const navigate = useNavigate()
  // One way out of the cart is enough here. From the drafts the parcel can be deleted, and nothing was shipped yet.
  const isInCart = parcel.status === 'incart'
  const may = (action: ParcelAction) =>
    parcel.allowedActions.includes(action) && !(isInCart && notInCart.includes(action))
  const main = findMainAction(parcel)
  /** Whether this part of the page has the button of an action. */
  const shows = (action: string) => (action === main) === (show === 'main')
  const { pickup, isMissing } = useAwaitedPickup(parcel)
  // If no rider comes, another pickup is more urgent than the usual action.
  const needsPickup = show === 'main' && isMissing
  const look = show === 'main' && !needsPickup ? { variant: 'filled' } : {}
  const body = { ids: [parcel.id] }
  const [asking, setAsking] = useState<'cancel' | 'recall' | 'return' | null>(null)

  const notes = usePrintNotes()
  const toCart = useSend(() => call(addToCart, { body }), {
    refresh: changedByCheckout,
    success: t('parcelPage.inCart'),
  })
  const takeOut = useSend(() => call(takeOutOfCart, { body }), {
    // Without a checkout it is undone with one click.
    confirm: () =>
      parcel.orderId === null
        ? null
        : {
            title: t('parcelPage.takeOutTitle'),
            message: t('phrase.sentences', { first: t('parcelPage.takeOutText'), second: t('pendingCheckout.ends') }),
            action: t('parcelAction.take_out_of_cart'),
          },
    refresh: changedByCheckout,
  })
  const remove = useSend(() => call(removeParcels, { body }), {
    confirm: {
      title: t('parcelPage.removeTitle'),
      message: t('parcelPage.removeText'),
      action: t('actions.remove'),
    },
    refresh: changedByCheckout,
    onSuccess: () => navigate({ to: '/parcels' }),
  })

  return (
    <>
      {notes.dialog}
      {/* A draft is deleted; an ordered parcel is cancelled. */}
      {may('cancel') && parcel.status !== 'pending' && shows('cancel') && (
        <Button onClick={() => setAsking('cancel')}>{t('parcelAction.cancel')}</Button>
      )}
      {may('recall') && shows('recall') && (
        <Button onClick={() => setAsking('recall')}>{t('parcelAction.recall')}</Button>
      )}
      {may('return') && shows('return') && (
        <Button onClick={() => setAsking('return')}>{t('parcelAction.return')}</Button>
      )}
      {asking === 'cancel' && <CancelParcels parcels={[parcel]} onClose={() => setAsking(null)} />}
      {(asking === 'recall' || asking === 'return') && (
        <FeeAction parcel={parcel} action={asking} onClose={() => setAsking(null)} />
      )}
      {may('remove') && shows('remove') && (
        <Button onClick={() => void remove.send()} loading={remove.pending}>
          {t('actions.remove')}
        </Button>
      )}
      {may('take_out_of_cart') && shows('take_out_of_cart') && (
        <Button onClick={() => void takeOut.send()} loading={takeOut.pending}>
          {t('parcelAction.take_out_of_cart')}
        </Button>
      )}
      {parcel.proof && shows('dossier') && <DossierButton of={{ parcelId: parcel.id }} />}
      {parcel.orderId && !may('checkout') && shows('order') && (
        <ButtonLink to="/orders/$id" params={{ id: parcel.orderId }}>
          {t('parcelPage.order')}
        </ButtonLink>
      )}
      {parcel.trackingNumber !== null && shows('share') && <ShareTracking {...look} number={parcel.trackingNumber} />}
      {may('repeat') && shows('repeat') && (
        <ButtonLink {...look} to="/parcels/new" search={{ repeat: parcel.id }}>
          {t('parcelAction.repeat')}
        </ButtonLink>
      )}
      {may('edit') && shows('edit') && (
        <ButtonLink {...look} to="/parcels/new" search={{ id: parcel.id }}>
          {t('actions.edit')}
        </ButtonLink>
      )}
      {may('add_to_cart') && shows('add_to_cart') && (
        <Button {...look} onClick={() => void toCart.send()} loading={toCart.pending}>
          {t('parcelAction.add_to_cart')}
        </Button>
      )}
      {may('checkout') && shows('checkout') && <CheckoutLink {...look} orderId={parcel.orderId} />}
      {may('print_note') && shows('print_note') && (
        <Button {...look} onClick={() => notes.ask([parcel.id])}>
          {t('parcelAction.print_note')}
        </Button>
      )}
      {needsPickup && (
        <ButtonLink
          variant="filled"
          to="/pickups"
          search={pickup?.failureReason ? { tab: 'failed', q: pickup.number } : {}}
        >
          {t('parcelPage.toPickups')}
        </ButtonLink>
      )}
    </>
  )
}

/** The payment of the parcel's open checkout, or the cart. */
function CheckoutLink({ orderId, ...look }: { orderId: string | null; variant?: string }) {
  const t = useT()
  return orderId ? (
    <ButtonLink {...look} to="/checkout/$orderId" params={{ orderId }}>
      {t('pendingCheckout.pay')}
    </ButtonLink>
  ) : (
    <ButtonLink {...look} to="/cart">
      {t('checkout.toCart')}
    </ButtonLink>
  )
}
