/** The query cache of the application. */
import { QueryClient } from '@tanstack/react-query'
import { isDecided } from '../../lib/once.ts'

/**
 * Responses stay fresh for 30 seconds. A query that failed because of the connection or the server is retried twice.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && !isDecided(error),
      },
    },
  })
}
