import { Button } from '@mantine/core'
import { enumLabel, paymentMethodLabels } from '@waybill/contract/ground/enums'
import type { OrderDetail } from '@waybill/contract/orders/orders'
import { type CreditNoteItem, listCreditNotes, printCreditNote } from '@waybill/contract/orders/refunds'
import { Time } from '../../components/display/time.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { LineList, Panel, Row } from '../../components/layout/boxes.tsx'
import { Mono, Quiet } from '../../components/layout/text.tsx'
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
  const total = items.reduce((sum, { totalMinor }) => sum + totalMinor, 0)
  return (
    <Panel>
      <Row justify="between">
        <h2>{t('ordersPage.creditNotes')}</h2>
        <strong>
          {t('ordersPage.refunded')} {format.money(total, order.currency)}
        </strong>
      </Row>
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
