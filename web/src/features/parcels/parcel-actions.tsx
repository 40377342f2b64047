import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { addToCart, cartCount, removeParcels, takeOutOfCart } from '@waybill/contract/parcels/cart'
import { listParcels } from '@waybill/contract/parcels/list'
import { getParcel, type ParcelDetail } from '@waybill/contract/parcels/parcels'
import { useState } from 'react'
import { ButtonLink } from '../../components/buttons/link.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { DossierButton } from './dossier/shared/dossier-button.tsx'
import { FeeAction } from './fee-action.tsx'
import { usePrintNotes } from './labels/shared/print-notes.tsx'
import { CancelParcels } from './list/cancel-parcels.tsx'
import { findMainAction } from './main-action.ts'
import { ShareTracking } from './shared/share-tracking.tsx'

type Props = {
  parcel: ParcelDetail
  /** The main button that fits the state, or all others. */
  show: 'main' | 'others'
}

/** Buttons for the actions that the server allows with this parcel now. */
export function ParcelActions({ parcel, show }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const may = (action: ParcelDetail['allowedActions'][number]) => parcel.allowedActions.includes(action)
  const main = findMainAction(parcel)
  /** Whether this part of the page has the button of an action. */
  const shows = (action: string) => (action === main) === (show === 'main')
  const look = show === 'main' ? { variant: 'filled' } : {}
  const body = { ids: [parcel.id] }
  const [asking, setAsking] = useState<'cancel' | 'recall' | 'return' | null>(null)

  const notes = usePrintNotes()
  const toCart = useSend(() => call(addToCart, { body }), {
    refresh: [getParcel, listParcels, cartCount],
    success: t('parcelPage.inCart'),
  })
  const takeOut = useSend(() => call(takeOutOfCart, { body }), { refresh: [getParcel, listParcels, cartCount] })
  const remove = useSend(() => call(removeParcels, { body }), {
    confirm: {
      title: t('parcelPage.removeTitle'),
      message: t('parcelPage.removeText'),
      action: t('actions.remove'),
    },
    refresh: [listParcels, cartCount],
    onSuccess: () => navigate({ to: '/parcels' }),
  })

  return (
    <>
      {notes.dialog}
      {/* A draft is deleted; a parcel in the cart or paid is cancelled. */}
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
      {parcel.orderId && shows('order') && (
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
      {may('checkout') && shows('checkout') && (
        <ButtonLink {...look} to="/cart">
          {t('checkout.toCart')}
        </ButtonLink>
      )}
      {may('print_note') && shows('print_note') && (
        <Button {...look} onClick={() => notes.ask([parcel.id])}>
          {t('parcelAction.print_note')}
        </Button>
      )}
    </>
  )
}
