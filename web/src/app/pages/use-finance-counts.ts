import { listRefunds } from '@waybill/contract/orders/refunds'
import { listGatewayTroubles } from '@waybill/contract/payments/gateway'
import { useCall } from '../../lib/query.ts'

const polling = { refetchInterval: 60_000 }

/** What waits on the tabs of the finance page: refunds to be paid and answers of the gateway to be checked. */
export function useFinanceCounts(): { refunds: number | undefined; gateway: number | undefined } {
  const refunds = useCall(listRefunds, { query: { status: 'requested', limit: 1 } }, polling)
  const gateway = useCall(listGatewayTroubles, { query: { limit: 1 } }, polling)
  return { refunds: refunds.data?.total, gateway: gateway.data?.counts.open }
}
