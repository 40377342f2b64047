import { type ListedTicket, ticketKindLabels } from '@waybill/contract/tickets/tickets'
import type { ReactNode } from 'react'
import { Time } from '../../components/display/time.tsx'
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
      phone: 'title',
      cell: (row) => link(row, row.title || label(ticketKindLabels, row.kind)),
    },
    {
      id: 'number',
      header: t('fields.number'),
      // On a phone staff see the account there. The kind is the title of a ticket without one.
      ...(side === 'customer' && {
        phone: 'detail' as const,
        phoneCell: (row: T) => (row.title ? label(ticketKindLabels, row.kind) : row.number),
      }),
      cell: (row) => row.number,
    },
    {
      id: 'about',
      header: t('fields.aboutId'),
      // The column of the account takes its room.
      ...(side === 'staff' && { show: 'wide' as const }),
      cell: (row) => row.about && format.trackingNumber(row.about.number),
    },
    { id: 'kind', header: t('tickets.kind'), show: 'chosen', cell: (row) => label(ticketKindLabels, row.kind) },
    {
      id: 'status',
      header: t('fields.status'),
      phone: side === 'staff' ? 'detailEnd' : 'end',
      cell: (row) => <TicketPill ticket={row} />,
    },
    {
      id: 'deadline',
      header: t('tickets.deadline'),
      // Staff's list is sorted by it.
      ...(side === 'staff' && { phone: 'end' as const, phoneCell: (row: T) => <ShortDeadline ticket={row} /> }),
      // The time with a mark if it is overdue; for customers also who has to act.
      minWidth: side === 'customer' ? 232 : 160,
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
