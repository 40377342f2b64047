import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refreshAfterEvent } from '../src/lib/query.ts'
import { endpointKey } from '../src/lib/refresh-answers.ts'

const parcels = { id: 'parcels.list' }

/** A screen that reads the list of parcels. The test responds to each of its requests. */
function openScreen(client: QueryClient) {
  const requests: ((answer: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: [...endpointKey(parcels), null],
    queryFn: () => new Promise<string>((resolve) => requests.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  })
  observer.subscribe(() => undefined)
  return { requests, screenText: () => observer.getCurrentResult().data }
}

test('fetches again if a change happens while the first response is still on its way', async () => {
  const client = new QueryClient()
  const { requests, screenText } = openScreen(client)
  const refreshed = refreshAfterEvent(client, [parcels])
  requests[0]?.('before the change')
  await expect.poll(() => requests.length).toBe(2)
  requests[1]?.('after the change')
  await refreshed
  expect(screenText()).toBe('after the change')
})

test('fetches again once if the response has already arrived', async () => {
  const client = new QueryClient()
  const { requests, screenText } = openScreen(client)
  requests[0]?.('before the change')
  await expect.poll(screenText).toBe('before the change')
  const refreshed = refreshAfterEvent(client, [parcels])
  requests[1]?.('after the change')
  await refreshed
  expect(screenText()).toBe('after the change')
  expect(requests).toHaveLength(2)
})
