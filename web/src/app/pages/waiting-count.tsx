import { listCarrierBookings } from '@waybill/contract/carriers/carriers'
import { listInbox } from '@waybill/contract/chat/inbox'
import { listFailedWork } from '@waybill/contract/failed-work/failed-work'
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { listDeliveryTasks } from '@waybill/contract/parcels/rider-tasks'
import { listMissingLoads } from '@waybill/contract/parcels/transport/trips'
import { listDisputes } from '@waybill/contract/parcels/weighing'
import { listStaffTickets } from '@waybill/contract/tickets/staff-tickets'
import { Tag } from '../../components/layout/text.tsx'
import type { CallArguments } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useFinanceCounts } from './use-finance-counts.ts'

/** The screens with work that waits, and their counts. Each needs the same permission as its screen. */
const counts: Record<string, () => number | undefined> = {
  '/staff/deliveries': () => useFigure(listDeliveryTasks, { query: { limit: 1 } }, ({ summary }) => summary.underWay),
  '/staff/carriers': () => useFigure(listCarrierBookings, { query: { limit: 1 } }, (page) => page.counts.attention),
  '/staff/inbox': () => useFigure(listInbox, { query: { limit: 1 } }, (page) => page.counts.waiting),
  '/staff/tickets': () => useFigure(listStaffTickets, { query: { limit: 1 } }, (page) => page.counts.due),
  '/staff/finance': () => {
    const { refunds, gateway } = useFinanceCounts()
    return (refunds ?? 0) + (gateway ?? 0)
  },
  '/staff/disputes': () => useFigure(listDisputes, { query: { limit: 1 } }, ({ total }) => total),
  '/staff/trips': () => useFigure(listMissingLoads, { query: { limit: 1 } }, ({ total }) => total),
  '/staff/failed-work': () => useFigure(listFailedWork, { query: { limit: 1 } }, ({ total }) => total),
}

function useFigure<E extends EndpointShape>(
  endpoint: E,
  options: NonNullable<CallArguments<E>[0]>,
  read: (response: ResponseOf<E>) => number,
): number | undefined {
  const { data } = useCall(endpoint, options, { refetchInterval: 60_000 })
  return data && read(data)
}

/** How much waits on a screen of staff, if it is a list of work. */
export function WaitingCount({ to }: { to: string }) {
  const useCount = counts[to]
  return useCount ? <Count useCount={useCount} /> : null
}

function Count({ useCount }: { useCount: () => number | undefined }) {
  const t = useT()
  const format = useFormat()
  const count = useCount()
  if (!count) return null
  return (
    <Tag tone="waiting">
      {format.number(count)} <span className="wb-hidden">{t('nav.waiting')}</span>
    </Tag>
  )
}
