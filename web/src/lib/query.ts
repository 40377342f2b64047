import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { EndpointShape, ResponseOf } from '@waybill/contract/ground/endpoint'
import { useCallback } from 'react'
import { type CallArguments, call, isTemporary } from './api.ts'
import { currentLanguage, onLanguageChange } from './i18n.ts'
import { type EndpointId, endpointKey } from './refresh-answers.ts'

type Watching<T> = {
  /** False: the query does not run yet. */
  enabled?: boolean
  /** Milliseconds between polls while the screen is open. */
  refetchInterval?: number | false
  staleTime?: number
  /** Shows the previous response while the next one loads, so that lists and prices do not flicker. */
  keepPrevious?: boolean
  /**
   * Called with each response, also with one that a newer request has replaced: such a request is not aborted. For an
   * endpoint that returns something only once.
   */
  onEachResponse?: (response: T) => void
}

/**
 * The result of a query without the error of a refresh that may succeed later: a screen keeps what it shows, with open
 * dialogs and typed text. Other errors, such as a lost permission, are returned.
 */
export function withoutRefreshError<T>(result: UseQueryResult<T>): UseQueryResult<T> {
  if (result.data === undefined || result.error === null || !isTemporary(result.error)) return result
  return { ...result, status: 'success', error: null, isError: false } as unknown as UseQueryResult<T>
}

/**
 * Runs a query and caches it: `const parcel = useCall(getParcel, { params: { id } })` returns React Query's result. For
 * endpoints that only read, including POST. Options come third: `useCall(getWallet, {}, { refetchInterval: 10_000 })`.
 */
export function useCall<E extends EndpointShape>(
  endpoint: E,
  options: NonNullable<CallArguments<E>[0]>,
  { keepPrevious, onEachResponse, ...watching }: Watching<ResponseOf<E>> = {},
) {
  return withoutRefreshError(
    useQuery<ResponseOf<E>>({
      ...toQuery(endpoint, options, onEachResponse),
      ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
      ...watching,
    }),
  )
}

/** Sends a request whose response `useCall` then finds in the cache. Errors are left to `useCall`. */
export function prefetchCall<E extends EndpointShape>(
  client: QueryClient,
  endpoint: E,
  options: NonNullable<CallArguments<E>[0]>,
): Promise<void> {
  return client.prefetchQuery(toQuery(endpoint, options))
}

function toQuery<E extends EndpointShape>(
  endpoint: E,
  options: NonNullable<CallArguments<E>[0]>,
  onEachResponse?: (response: ResponseOf<E>) => void,
) {
  const { params, query, body } = options as { params?: unknown; query?: unknown; body?: unknown }
  return {
    queryKey: [...endpointKey(endpoint), params ?? null, query ?? null, body ?? null],
    queryFn: async (context: { signal: AbortSignal }): Promise<ResponseOf<E>> => {
      // React Query aborts a replaced request only if the signal is read.
      const request = onEachResponse ? options : { ...options, signal: context.signal }
      const response = await call(endpoint, ...([request] as unknown as CallArguments<E>))
      onEachResponse?.(response)
      return response
    },
  }
}

/** `refreshAnswers` for changes that no request of the screen made: `await refresh(listParcels, cartCount)`. */
export function useRefresh() {
  const client = useQueryClient()
  return useCallback((...endpoints: readonly EndpointId[]) => refreshAfterEvent(client, endpoints), [client])
}

/**
 * `refreshAnswers` that also repeats a first response which is still awaited: the server may have read it before the
 * change.
 */
export async function refreshAfterEvent(client: QueryClient, endpoints: readonly EndpointId[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => refreshWithAwaited(client, { queryKey: endpointKey(endpoint) })))
}

/**
 * After a change of the language, loads everything on the screen again: responses contain texts in the language of
 * their request. Until the new responses arrive, the screen keeps the old ones.
 */
export function refreshOnLanguageChange(client: QueryClient): void {
  let language = currentLanguage()
  onLanguageChange(() => {
    if (currentLanguage() === language) return
    language = currentLanguage()
    void refreshWithAwaited(client, {})
  })
}

async function refreshWithAwaited(client: QueryClient, queries: { queryKey?: string[] }): Promise<void> {
  const awaited = client.getQueryCache().findAll({
    ...queries,
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  })
  await client.invalidateQueries(queries)
  await Promise.all(awaited.map(({ queryKey }) => client.invalidateQueries({ queryKey, exact: true })))
}
