import type { QueryClient } from '@tanstack/react-query'
import { getDefaultAddress } from '@waybill/contract/addresses/addresses'
import { prefetchCall } from '../../lib/query.ts'
import { sessionStore } from '../../lib/session.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'

/**
 * Sends what the form of a new parcel waits for before React renders the frame around it: on a slow phone that takes
 * longer than the responses. The form then finds them by the same query and the same promise.
 */
export function requestFirstData(queries: QueryClient): void {
  if (sessionStore.getState().auth.user?.kind !== 'customer') return
  void loadSettings()
  const search = new URLSearchParams(location.search)
  // A copy and an edited parcel bring their own sender.
  if (!search.has('id') && !search.has('repeat')) void prefetchCall(queries, getDefaultAddress, {})
  void import('../../features/parcels/paste/paste-box.tsx')
}
