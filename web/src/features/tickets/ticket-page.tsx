import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import {
  closeTicket,
  getTicket,
  reopenTicket,
  type Ticket,
  type TicketAction,
  withdrawClaim,
} from '@waybill/contract/tickets/tickets'
import type { ComponentType } from 'react'
import { ButtonLink, TextLink } from '../../components/buttons/link.tsx'
import { useSend } from '../../components/feedback/use-send.ts'
import { Panel } from '../../components/layout/boxes.tsx'
import { call } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { currentView } from '../../lib/view.ts'
import { ArtworkPanel } from './artwork/artwork-panel.tsx'
import { changedByTickets } from './changed-by-tickets.ts'
import { DocumentForm } from './document-form.tsx'
import { MissingTicket, TicketLayout } from './ticket-layout.tsx'
import { Checklist, ClaimFacts, TicketFacts } from './ticket-view.tsx'

type Props = {
  /** The messages of the ticket, from a higher domain. */
  messages: ComponentType<{ id: string }>
}

/** One ticket: its state, its documents, its claim or artwork, and the messages about it. */
export function TicketPage({ messages }: Props) {
  const t = useT()
  const { id } = useParams({ from: '/portal/tickets/$id' })
  const query = useCall(getTicket, { params: { id } })
  const ticket = query.data
  if (!ticket) return <MissingTicket query={query} />
  const mayAdd = ticket.allowedActions.includes('add_document') && !currentView
  return (
    <TicketLayout
      ticket={ticket}
      side="customer"
      actions={<TicketButtons ticket={ticket} />}
      messages={messages}
      facts={
        <>
          <TicketFacts ticket={ticket} about={ticket.about && <AboutLink about={ticket.about} />} />
          <ClaimFacts ticket={ticket} />
        </>
      }
    >
      {ticket.artwork && <ArtworkPanel artwork={ticket.artwork} />}
      {ticket.documents.length > 0 && (mayAdd || ticket.documents.some(({ files }) => files.length > 0)) && (
        <Panel title={t('fields.documents')}>
          {mayAdd ? <DocumentForm ticket={ticket} /> : <Checklist ticket={ticket} />}
        </Panel>
      )}
    </TicketLayout>
  )
}

function AboutLink({ about }: { about: NonNullable<Ticket['about']> }) {
  const format = useFormat()
  const text = format.trackingNumber(about.number)
  const params = { id: about.id }
  return about.subject === 'parcel' ? (
    <TextLink to="/parcels/$id" params={params}>
      {text}
    </TextLink>
  ) : (
    <TextLink to="/orders/$id" params={params}>
      {text}
    </TextLink>
  )
}

const steps = { close: closeTicket, reopen: reopenTicket, withdraw_claim: withdrawClaim } as const

function TicketButtons({ ticket }: { ticket: Ticket }) {
  const t = useT()
  const step = useSend(
    (action: keyof typeof steps) =>
      call(steps[action], { params: { id: ticket.id }, body: { version: ticket.version } }),
    {
      confirm: (action) =>
        action === 'withdraw_claim'
          ? { title: t('tickets.withdraw'), message: t('tickets.withdrawText'), action: t('tickets.withdraw') }
          : null,
      refresh: changedByTickets,
      refreshOnError: changedByTickets,
      success: (_, action) => t(`tickets.done.${action}`),
    },
  )
  const may = (action: TicketAction) => ticket.allowedActions.includes(action) && !currentView
  return (
    <>
      <ButtonLink to="/tickets">{t('tickets.all')}</ButtonLink>
      {may('close') && (
        <Button loading={step.pending} onClick={() => void step.send('close')}>
          {t('tickets.close')}
        </Button>
      )}
      {may('reopen') && (
        <Button loading={step.pending} onClick={() => void step.send('reopen')}>
          {t('tickets.reopen')}
        </Button>
      )}
      {may('withdraw_claim') && (
        <Button loading={step.pending} onClick={() => void step.send('withdraw_claim')}>
          {t('tickets.withdraw')}
        </Button>
      )}
    </>
  )
}
