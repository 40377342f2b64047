import { keepPreviousData, QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { useCallback } from 'react'
import { ApiError, type CallArguments, call } from './api.ts'

/**
 * Answers are fresh for half a minute; what failed for want of a connection or by the server's fault is asked again
 * twice.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.statusCode >= 500),
      },
    },
  })
}

type Watching = {
  /** False: not asked yet. */
  enabled?: boolean
  /** Milliseconds; asks again as long as the screen stands. */
  refetchInterval?: number | false
  staleTime?: number
  /** Keeps the answer before while the next one is on its way: lists and prices then don't flicker. */
  keepPrevious?: boolean
}

/** What the key of an endpoint's answers begins with. */
const keyOf = (endpoint: EndpointShape) => ['call', endpoint.id]

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
    queryKey: [...keyOf(endpoint), params ?? null, query ?? null, body ?? null],
    queryFn: ({ signal }) => {
      const withSignal = [{ ...options, signal }] as unknown as CallArguments<E>
      return call(endpoint, ...withSignal)
    },
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...watching,
  })
}

/** Marks the cached answers of these endpoints as stale, and fetches those that are on the screen again. */
export async function refreshAnswers(client: QueryClient, endpoints: readonly EndpointShape[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: keyOf(endpoint) })))
}

/** `refreshAnswers` for what no request of the screen has changed: `await refresh(listParcels, cartCount)`. */
export function useRefresh() {
  const client = useQueryClient()
  return useCallback((...endpoints: readonly EndpointShape[]) => refreshAnswers(client, endpoints), [client])
}

export { useRefresh as useChanged }
