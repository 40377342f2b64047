import { type TicketStatus, ticketStatusLabels } from '@waybill/contract/ground/enums'
import type { Look } from '@waybill/contract/ground/status-look'
import { type ClaimState, claimStateLabels } from '@waybill/contract/tickets/claims'
import type { ListedTicket } from '@waybill/contract/tickets/tickets'
import { StatusPill } from '../../components/display/status-pill.tsx'
import { Time } from '../../components/display/time.tsx'
import { Tag } from '../../components/layout/text.tsx'
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

/** The status of a ticket. */
export function TicketPill({ status }: { status: TicketStatus }) {
  const label = useLabel()
  return <StatusPill look={ticketLooks[status]} label={label(ticketStatusLabels, status)} />
}

/** The state of a claim. */
export function ClaimPill({ state }: { state: ClaimState }) {
  const label = useLabel()
  return <StatusPill look={claimLooks[state]} label={label(claimStateLabels, state)} />
}

type DeadlineProps = {
  ticket: Pick<ListedTicket, 'deadline'>
  /** Who reads it. */
  side: 'customer' | 'staff'
  /** Under a heading that says what it is: the reader's own deadline is the time alone. */
  brief?: boolean
}

/** Until when who has to act. */
export function DeadlineText({ ticket, side, brief = false }: DeadlineProps) {
  const t = useT()
  if (!ticket.deadline) return null
  const { at, waitsFor, overdue } = ticket.deadline
  const turn = waitsFor === side ? 'own' : side === 'customer' ? 'staff' : 'customer'
  return (
    <span>
      {!(brief && turn === 'own') && t(`tickets.turn.${turn}`)} <Time at={at} relative={false} />{' '}
      {overdue && <Tag tone="danger">{t('tickets.overdue')}</Tag>}
    </span>
  )
}
