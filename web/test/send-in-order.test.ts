import { expect, test } from 'vitest'
import { sendInOrder } from '../src/lib/send-queue/send-in-order.ts'

/** Requests that the test answers, in the order in which they are sent. */
function createRequests() {
  const requests: string[] = []
  const answers = new Map<string, PromiseWithResolvers<boolean>>()
  const request = (number: string) => () => {
    requests.push(number)
    const answer = Promise.withResolvers<boolean>()
    answers.set(number, answer)
    return answer.promise
  }
  return { requests, answers, request }
}

test('sends a second scan after the first one is answered, instead of ignoring it', async () => {
  const { requests, answers, request } = createRequests()
  const inOrder = sendInOrder<boolean>()
  const first = inOrder('WB1', request('WB1'))
  const second = inOrder('WB2', request('WB2'))
  await expect.poll(() => requests).toEqual(['WB1'])
  answers.get('WB1')?.resolve(true)
  await first
  await expect.poll(() => requests).toEqual(['WB1', 'WB2'])
  answers.get('WB2')?.resolve(true)
  expect(await second).toBe(true)
})

test('sends the next scan after an error', async () => {
  const { requests, answers, request } = createRequests()
  const inOrder = sendInOrder<boolean>()
  const first = inOrder('WB1', request('WB1'))
  void inOrder('WB2', request('WB2'))
  await expect.poll(() => requests).toEqual(['WB1'])
  answers.get('WB1')?.reject(new Error('No.'))
  await expect(first).rejects.toThrow('No.')
  await expect.poll(() => requests).toEqual(['WB1', 'WB2'])
})

test('sends a double click once, and the same content again afterwards', async () => {
  const { requests, answers, request } = createRequests()
  const inOrder = sendInOrder<boolean>()
  const first = inOrder('WB1', request('WB1'))
  const again = inOrder('WB1', request('WB1'))
  await expect.poll(() => requests).toEqual(['WB1'])
  answers.get('WB1')?.resolve(true)
  expect(await Promise.all([first, again])).toEqual([true, true])
  void inOrder('WB1', request('WB1'))
  await expect.poll(() => requests).toEqual(['WB1', 'WB1'])
})
