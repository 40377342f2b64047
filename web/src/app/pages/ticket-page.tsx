import { LazyMessages } from '../../features/chat/lazy-messages.tsx'
import { TicketPage } from '../../features/tickets/ticket-page.tsx'

/** A ticket with the messages about it. */
export function TicketScreenPage() {
  return <TicketPage messages={LazyMessages} />
}
