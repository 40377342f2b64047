import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { useCallback } from 'react'
import { type CallArguments, call } from './api.ts'
import { endpointKey, refreshAnswers } from './query-client.ts'

type Watching = {
  /** False: not asked yet. */
  enabled?: boolean
  /** Milliseconds; asks again as long as the screen stands. */
  refetchInterval?: number | false
  staleTime?: number
  /** Keeps the answer before while the next one is on its way: lists and prices then don't flicker. */
  keepPrevious?: boolean
}

/**
 * Asks and keeps: `const parcel = useCall(getParcel, { params: { id } })` -> React Query's result. Endpoints that only
 * read, also by POST. `watching` comes third: `useCall(getWallet, {}, { refetchInterval: 10_000 })`.
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

/** `refreshAnswers` for what no request of the screen has changed: `await refresh(listParcels, cartCount)`. */
export function useRefresh() {
  const client = useQueryClient()
  return useCallback((...endpoints: readonly EndpointShape[]) => refreshAnswers(client, endpoints), [client])
}
