import { StaffMessages } from '../../features/chat/inbox/staff-messages.tsx'
import { StaffTicketPage } from '../../features/tickets/staff/staff-ticket-page.tsx'

/** A ticket for staff, with the messages about it. */
export function StaffTicketScreenPage() {
  return <StaffTicketPage messages={StaffMessages} />
}
