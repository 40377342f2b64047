/** Which cached responses a request makes stale. Without the cache itself, which the sign-in page does not load. */
import type { QueryClient } from '@tanstack/react-query'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'

/** What query keys need of an endpoint. */
export type EndpointId = Pick<EndpointShape, 'id'>

/** The prefix of the query keys of an endpoint. */
export const endpointKey = (endpoint: EndpointId) => ['call', endpoint.id]

/** Invalidates the cached responses of these endpoints. Those on the screen are fetched again. */
export async function refreshAnswers(client: QueryClient, endpoints: readonly EndpointId[]): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: endpointKey(endpoint) })))
}
