/** The query cache. Separate from `query.ts`, because the sign-in page sends requests but caches no queries. */
import { QueryClient } from '@tanstack/react-query'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { ApiError } from './api.ts'

/**
 * Responses stay fresh for 30 seconds. A query that failed because of the connection or the server is retried twice.
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

/** What query keys need of an endpoint. */
export type EndpointId = Pick<EndpointShape, 'id'>

/** The prefix of the query keys of an endpoint. */
export const endpointKey = (endpoint: EndpointId) => ['call', endpoint.id]

/** Invalidates the cached responses of these endpoints. Those on the screen are fetched again. */
export async function refreshAnswers(client: QueryClient, endpoints: readonly EndpointId[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: endpointKey(endpoint) })))
}
