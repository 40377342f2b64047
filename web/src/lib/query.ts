import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { useCallback } from 'react'
import { type CallArguments, call } from './api.ts'
import { endpointKey, refreshAnswers } from './query-client.ts'

type Watching = {
  /** False: the query does not run yet. */
  enabled?: boolean
  /** Milliseconds between polls while the screen is open. */
  refetchInterval?: number | false
  staleTime?: number
  /** Shows the previous response while the next one loads, so that lists and prices do not flicker. */
  keepPrevious?: boolean
}

/**
 * Runs a query and caches it: `const parcel = useCall(getParcel, { params: { id } })` returns React Query's result. For
 * endpoints that only read, including POST. Options come third: `useCall(getWallet, {}, { refetchInterval: 10_000 })`.
 */
export function useCall<E extends EndpointShape>(
  endpoint: E,
  options: NonNullable<CallArguments<E>[0]>,
  { keepPrevious, ...watching }: Watching = {},
) {
  const { params, query, body } = options as { params?: unknown; query?: unknown; body?: unknown }
  return useQuery<ResponseOf<E>>({
    queryKey: [...endpointKey(endpoint), params ?? null, query ?? null, body ?? null],
    queryFn: ({ signal }) => {
      const withSignal = [{ ...options, signal }] as unknown as CallArguments<E>
      return call(endpoint, ...withSignal)
    },
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...watching,
  })
}

/** `refreshAnswers` for changes that no request of the screen made: `await refresh(listParcels, cartCount)`. */
export function useRefresh() {
  const client = useQueryClient()
  return useCallback((...endpoints: readonly EndpointShape[]) => refreshAnswers(client, endpoints), [client])
}
