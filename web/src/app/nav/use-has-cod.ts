import { listCod } from '@waybill/contract/payments/cod'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'

/** Whether the account has ever had COD payments: the screen for them is hidden from all others. */
export function useHasCod(): boolean {
  const cod = useCall(listCod, { query: { limit: 1 } }, { enabled: useMay('wallet.view'), staleTime: 600_000 })
  return (cod.data?.total ?? 0) > 0
}
