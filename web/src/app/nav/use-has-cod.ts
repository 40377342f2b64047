import { listCod } from '@waybill/contract/payments/cod'
import { useEffect } from 'react'
import { lastingUserStorage, useStored } from '../../lib/browser/user-storage.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'

/**
 * Whether the account has ever had COD payments: the screen for them is hidden from all others. Until the answer comes
 * it is the user's last one, so that the navigation does not move.
 */
export function useHasCod(): boolean {
  const [last, setLast] = useStored(lastingUserStorage, 'cod', false)
  const cod = useCall(listCod, { query: { limit: 1 } }, { enabled: useMay('wallet.view'), staleTime: 600_000 })
  const hasCod = cod.data ? cod.data.total > 0 : last
  useEffect(() => {
    if (hasCod !== last) setLast(hasCod)
  }, [hasCod, last, setLast])
  return hasCod
}
