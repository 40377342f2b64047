import type { Ticket } from '@waybill/contract/tickets/tickets'
import type { ComponentType, ReactNode } from 'react'
import { CopyNumber } from '../../components/display/copy-number.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { ErrorPanel } from '../../components/feedback/message-panel.tsx'
import { Columns, Panel, Stack } from '../../components/layout/boxes.tsx'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { useT } from '../../lib/i18n.ts'
import { TicketState, useTicketTitle } from './ticket-view.tsx'

type Props = {
  ticket: Ticket
  side: 'customer' | 'staff'
  /** The buttons of the page's head. */
  actions: ReactNode
  /** Between the state of the ticket and its messages. */
  children: ReactNode
  /** The content of the side column. */
  facts: ReactNode
  /** The messages of the ticket, from a higher domain. */
  messages: ComponentType<{ id: string }>
}

/** The page of a ticket, for its customer and for staff. */
export function TicketLayout({ ticket, side, actions, children, facts, messages: Messages }: Props) {
  const t = useT()
  const title = useTicketTitle()
  return (
    <>
      <PageHeader title={title(ticket)} description={<CopyNumber value={ticket.number} />} actions={actions} />
      <Columns>
        <Stack gap={24}>
          <TicketState ticket={ticket} side={side} />
          {children}
          <Messages id={ticket.id} />
        </Stack>
        <Panel title={t('tickets.facts')}>{facts}</Panel>
      </Columns>
    </>
  )
}

/** Shown instead of a ticket that is loading or could not be loaded. */
export function MissingTicket({ query }: { query: { error: unknown; refetch: () => unknown } }) {
  const t = useT()
  return (
    <>
      <PageHeader title={t('tickets.one')} />
      {query.error ? <ErrorPanel error={query.error} retry={() => void query.refetch()} /> : <Loading />}
    </>
  )
}
