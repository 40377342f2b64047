import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { parcelStatusLabels } from '@waybill/contract/ground/enums/parcel-enums'
import {
  closeStaffTicket,
  getStaffTicket,
  reopenStaffTicket,
  type StaffTicket,
} from '@waybill/contract/tickets/staff-tickets'
import type { ComponentType } from 'react'
import { ButtonLink, TextLink } from '../../../components/buttons/link.tsx'
import { StaffParcelLink } from '../../../components/buttons/staff-parcel-link.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { Panel } from '../../../components/layout/boxes.tsx'
import { Fact, Facts } from '../../../components/layout/facts.tsx'
import { Mono } from '../../../components/layout/text.tsx'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useLabel } from '../../../lib/labels.ts'
import { useCall } from '../../../lib/query.ts'
import { ArtworkPanel } from '../artwork/artwork-panel.tsx'
import { changedByTickets } from '../changed-by-tickets.ts'
import { MissingTicket, TicketLayout } from '../ticket-layout.tsx'
import { Checklist, ClaimFacts, TicketFacts } from '../ticket-view.tsx'
import { ClaimDecisions } from './claim-decision.tsx'

type Props = {
  /** The messages of the ticket, from a higher domain. */
  messages: ComponentType<{ id: string }>
}

/** One ticket for staff: its account, documents, decisions, and the messages about it. */
export function StaffTicketPage({ messages }: Props) {
  const t = useT()
  const { id } = useParams({ from: '/staff/staff/tickets/$id' })
  const query = useCall(getStaffTicket, { params: { id } })
  const ticket = query.data
  if (!ticket) return <MissingTicket query={query} />
  return (
    <TicketLayout
      ticket={ticket}
      side="staff"
      actions={<StaffButtons ticket={ticket} />}
      messages={messages}
      facts={
        <>
          <Account ticket={ticket} />
          <TicketFacts ticket={ticket} />
          <ClaimFacts ticket={ticket} />
          <ClaimDecisions ticket={ticket} />
        </>
      }
    >
      {ticket.artwork && <ArtworkPanel artwork={ticket.artwork} readOnly />}
      {ticket.artwork && <ButtonLink to="/staff/artworks">{t('tickets.toArtworks')}</ButtonLink>}
      {ticket.documents.some(({ files }) => files.length > 0) && (
        <Panel title={t('fields.documents')}>
          <Checklist ticket={ticket} />
        </Panel>
      )}
    </TicketLayout>
  )
}

function Account({ ticket }: { ticket: StaffTicket }) {
  const t = useT()
  const label = useLabel()
  return (
    <Facts>
      <Fact label={t('inbox.account')}>
        <TextLink to="/staff/accounts/$id" params={{ id: ticket.accountId }}>
          {ticket.accountName}
        </TextLink>
      </Fact>
      {ticket.about && (
        <Fact label={t('chat.about')}>
          {ticket.about.subject === 'parcel' ? (
            <StaffParcelLink number={ticket.about.number} />
          ) : (
            <Mono>{ticket.about.number}</Mono>
          )}
        </Fact>
      )}
      {ticket.claim && (
        <Fact label={t('tickets.claim.parcelStatus')}>{label(parcelStatusLabels, ticket.claim.parcelStatus)}</Fact>
      )}
    </Facts>
  )
}

const steps = { close: closeStaffTicket, reopen: reopenStaffTicket } as const

function StaffButtons({ ticket }: { ticket: StaffTicket }) {
  const t = useT()
  const step = useSend(
    (action: keyof typeof steps) =>
      call(steps[action], { params: { id: ticket.id }, body: { version: ticket.version } }),
    {
      refresh: changedByTickets,
      refreshOnError: changedByTickets,
      success: (_, action) => t(`tickets.done.${action}`),
    },
  )
  return (
    <>
      <ButtonLink to="/staff/tickets">{t('tickets.all')}</ButtonLink>
      {(['close', 'reopen'] as const).map(
        (action) =>
          ticket.allowedActions.includes(action) && (
            <Button key={action} loading={step.pending} onClick={() => void step.send(action)}>
              {t(`tickets.${action}`)}
            </Button>
          ),
      )}
    </>
  )
}
