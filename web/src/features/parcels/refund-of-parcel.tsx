import { type CreditNoteItem, listCreditNotes } from '@waybill/contract/orders/refunds'
import type { ParcelDetail } from '@waybill/contract/parcels/parcels'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'

/** Where the money of a cancelled parcel is. Nothing, if nothing was paid or the reader may not see the order. */
export function RefundOfParcel({ parcel: { id, orderId } }: { parcel: Pick<ParcelDetail, 'id' | 'orderId'> }) {
  const { data } = useCall(
    listCreditNotes,
    { params: { id: orderId ?? '' }, query: { parcelId: id } },
    { enabled: orderId !== null },
  )
  return data?.items.map((note) => <Refund key={note.id} note={note} />)
}

function Refund({ note }: { note: CreditNoteItem }) {
  const t = useT()
  const format = useFormat()
  const amount = format.money(note.totalMinor, note.currency)
  const sentences = {
    wallet: [t('cancelParcel.doneWallet', { amount })],
    receivable: [t('cancelParcel.doneBill', { amount })],
    card: {
      requested: [t('cancelParcel.doneCard', { amount }), t('cancelParcel.cardHint')],
      done: [t('refund.cardDone', { amount })],
      failed: [t('refund.cardFailed', { amount })],
    }[note.status],
  }[note.destination]
  const together = note.parcelCount > 1 ? [t('refund.together', { count: note.parcelCount })] : []
  return <p>{[...sentences, ...together].reduce((first, second) => t('phrase.sentences', { first, second }))}</p>
}
