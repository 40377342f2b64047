import { type TicketStatus, ticketStatusLabels } from '@waybill/contract/ground/enums/enums'
import type { Look } from '@waybill/contract/ground/status/status-look'
import { type ClaimState, claimStateLabels } from '@waybill/contract/tickets/claims'
import type { ListedTicket } from '@waybill/contract/tickets/tickets'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { Tag } from '../../components/layout/text.tsx'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { artworkLooks } from './artwork/artwork-look.ts'

const ticketLooks: Record<TicketStatus, Look> = {
  ...artworkLooks,
  open: { tone: 'moving', icon: 'clock' },
  closed: { tone: 'neutral', icon: 'check' },
}

const claimLooks: Record<ClaimState, Look> = {
  documents: { tone: 'waiting', icon: 'edit' },
  submitted: { tone: 'moving', icon: 'clock' },
  paid: { tone: 'success', icon: 'check' },
  refused: { tone: 'danger', icon: 'cross' },
  withdrawn: { tone: 'neutral', icon: 'cross' },
}

/** The status of a ticket; of a claim its state, because an open one may wait for the customer. */
export function TicketPill({
  ticket: { status, claimState },
}: {
  ticket: Pick<ListedTicket, 'status' | 'claimState'>
}) {
  const label = useLabel()
  return claimState === null ? (
    <StatusPill look={ticketLooks[status]} label={label(ticketStatusLabels, status)} />
  ) : (
    <StatusPill look={claimLooks[claimState]} label={label(claimStateLabels, claimState)} />
  )
}

type DeadlineProps = {
  ticket: Pick<ListedTicket, 'deadline' | 'kind'>
  /** Who reads it. */
  side: 'customer' | 'staff'
  /** Below a heading that explains it: for the reader's own deadline the time is enough. */
  brief?: boolean
}

/** Which side must act, and until when. */
export function DeadlineText({ ticket, side, brief = false }: DeadlineProps) {
  const t = useT()
  const format = useFormat()
  if (!ticket.deadline) return null
  const { at, waitsFor, overdue } = ticket.deadline
  // Only a claim without its documents waits for its customer, and a message does not replace them.
  const own = ticket.kind === 'claim' && side === 'customer' ? 'documents' : 'own'
  const turn = waitsFor === side ? own : side === 'customer' ? 'staff' : 'customer'
  return (
    <span>
      {brief && waitsFor === side ? (
        <Time at={at} inList={side === 'customer' ? 'exact' : 'relative'} />
      ) : (
        t(`tickets.turn.${turn}`, { time: format.dateTime(at) })
      )}{' '}
      {overdue && <Tag tone="danger">{t('tickets.overdue')}</Tag>}
    </span>
  )
}

/** The deadline where there is room for one word only: when it is, or that it has passed. */
export function ShortDeadline({ ticket: { deadline } }: { ticket: Pick<ListedTicket, 'deadline'> }) {
  const t = useT()
  if (!deadline) return null
  return deadline.overdue ? <Tag tone="danger">{t('tickets.overdue')}</Tag> : <Time at={deadline.at} />
}
