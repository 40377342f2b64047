import { Button } from '@mantine/core'
import { paymentMethodLabels } from '@waybill/contract/ground/enums/enums'
import { enumLabel } from '@waybill/contract/ground/enums/labels'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { type CreditNoteItem, listCreditNotes, printCreditNote } from '@waybill/contract/orders/refunds'
import { Time } from '../../components/display/time.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { LineList, Panel, Row } from '../../components/layout/boxes.tsx'
import { Note as Hint, Mono, Quiet } from '../../components/layout/text.tsx'
import { openDocument } from '../../lib/download.ts'
import { useFormat } from '../../lib/format.ts'
import { useLanguage, useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'

/** The credit notes of an order and the destination of their money. Hidden if there are none. */
export function CreditNotes({ order }: { order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const notes = useCall(listCreditNotes, { params: { id: order.id } }, { enabled: order.invoiceNumber !== null })
  if (notes.error) return <ErrorPanel error={notes.error} retry={() => void notes.refetch()} />
  const items = notes.data?.items ?? []
  if (items.length === 0) return null
  // Staff still have to make these refunds, so their money must not look as if it had arrived.
  const isPending = ({ destination, status }: CreditNoteItem) => destination === 'card' && status === 'requested'
  const sumUp = (notes: CreditNoteItem[]) => notes.reduce((sum, { totalMinor }) => sum + totalMinor, 0)
  const refundedMinor = sumUp(items.filter((note) => !isPending(note)))
  const pendingMinor = sumUp(items.filter(isPending))
  return (
    <Panel>
      <Row justify="between">
        <h2>{t('ordersPage.creditNotes')}</h2>
        {refundedMinor > 0 && (
          <strong>
            {t('ordersPage.refunded')} {format.money(refundedMinor, order.currency)}
          </strong>
        )}
        {pendingMinor > 0 && (
          <strong>
            {t('refund.status.requested')} {format.money(pendingMinor, order.currency)}
          </strong>
        )}
      </Row>
      {pendingMinor > 0 && <Hint>{t('cancelParcel.cardHint')}</Hint>}
      <LineList>
        {items.map((note) => (
          <Note key={note.id} note={note} order={order} />
        ))}
      </LineList>
    </Panel>
  )
}

function Note({ note, order }: { note: CreditNoteItem; order: OrderDetail }) {
  const t = useT()
  const format = useFormat()
  const language = useLanguage()
  const open = useSend(() => openDocument(printCreditNote, { params: { id: order.id, creditNoteId: note.id } }))
  const method = order.paymentMethod ? enumLabel(paymentMethodLabels, order.paymentMethod, language) : ''
  const state = note.destination === 'card' ? t(`refund.status.${note.status}`) : null
  return (
    <li>
      <span>
        <Mono>{note.number}</Mono>
        <Quiet>
          {format.money(note.totalMinor, note.currency)} · {t(`refund.to.${note.destination}`, { method })}
          {state && ` · ${state}`}
          {note.bankReference && ` · ${note.bankReference}`}
        </Quiet>
        <Quiet>
          <Time at={note.issuedAt} relative={false} />
        </Quiet>
      </span>
      <Button size="sm" loading={open.pending} onClick={() => void open.send()}>
        {t('ordersPage.openCreditNote')}
      </Button>
    </li>
  )
}
