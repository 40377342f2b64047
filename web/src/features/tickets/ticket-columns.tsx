import { type ListedTicket, ticketKindLabels } from '@waybill/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { Time } from '../../components/display/time.tsx'
import { Quiet } from '../../components/layout/text.tsx'
import type { Column } from '../../components/list/column.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useLabel } from '../../lib/labels.ts'
import { DeadlineText, ShortDeadline, TicketPill } from './ticket-look.tsx'

/** The columns of both lists of tickets. `link`: the title as a link to its page. */
export function useTicketColumns<T extends ListedTicket>(
  side: 'customer' | 'staff',
  link: (ticket: T, text: string) => ReactNode,
): readonly Column<T>[] {
  const t = useT()
  const format = useFormat()
  const label = useLabel()
  return [
    {
      id: 'title',
      header: t('tickets.one'),
      card: 'title',
      // A title with its numbers; the kind, which it often repeats, may be shortened instead.
      minWidth: 300,
      phone: 'title',
      phoneCell: (row) => link(row, row.title || label(ticketKindLabels, row.kind)),
      cell: (row) => (
        <>
          {link(row, row.title || label(ticketKindLabels, row.kind))}
          <Quiet>
            {[row.number, row.about && format.trackingNumber(row.about.number)].filter(Boolean).join(' · ')}
          </Quiet>
        </>
      ),
    },
    {
      id: 'kind',
      header: t('tickets.kind'),
      // On a phone staff see the account there. The kind is the title of a ticket without one.
      ...(side === 'customer' && {
        phone: 'detail' as const,
        phoneCell: (row: T) => (row.title ? label(ticketKindLabels, row.kind) : row.number),
      }),
      cell: (row) => label(ticketKindLabels, row.kind),
    },
    {
      id: 'status',
      header: t('fields.status'),
      phone: side === 'staff' ? 'detailEnd' : 'end',
      cell: (row) => <TicketPill status={row.status} />,
    },
    {
      id: 'deadline',
      header: t('tickets.deadline'),
      // Staff's list is sorted by it.
      ...(side === 'staff' && { phone: 'end' as const, phoneCell: (row: T) => <ShortDeadline ticket={row} /> }),
      // The time, with a mark if it is overdue.
      minWidth: 232,
      cell: (row) => <DeadlineText ticket={row} side={side} brief />,
    },
    {
      id: 'changed',
      header: t('fields.updatedAt'),
      ...(side === 'customer' && { phone: 'detailEnd' as const }),
      cell: (row) => <Time at={row.updatedAt} />,
    },
  ]
}
