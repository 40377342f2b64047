import type { QueryClient } from '@tanstack/react-query'
import { defaultAddressRequest } from '@waybill/contract/addresses/default-request'
import { prefetchCall } from '../../lib/query.ts'
import { sessionStore } from '../../lib/session.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'

/**
 * Sends the first requests of the new parcel form before React renders the frame around it: on a slow phone rendering
 * takes longer than the responses. The form finds the data through the same queries. Never rejects.
 */
export async function requestFirstData(queries: QueryClient): Promise<void> {
  if (sessionStore.getState().auth.user?.kind !== 'customer') return
  const search = new URLSearchParams(location.search)
  // A copy and an edited parcel bring their own sender.
  const isCopy = search.has('id') || search.has('repeat')
  await Promise.all([loadSettings(), isCopy ? null : prefetchCall(queries, defaultAddressRequest, {})])
}
