/** The cache of answers. Apart from `query.ts`, because the sign-in page sends but reads nothing through the cache. */
import { QueryClient } from '@tanstack/react-query'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { ApiError } from './api.ts'

/**
 * Answers are fresh for 30 seconds. A request that failed because of the connection or the server is repeated twice.
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

/** The start of the query key of all answers of an endpoint. */
export const endpointKey = (endpoint: EndpointShape) => ['call', endpoint.id]

/** Marks the cached answers of these endpoints as stale, and fetches those that are on the screen again. */
export async function refreshAnswers(client: QueryClient, endpoints: readonly EndpointShape[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: endpointKey(endpoint) })))
}
