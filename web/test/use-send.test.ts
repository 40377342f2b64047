import { QueryClient } from '@tanstack/react-query'
import type { EndpointShape } from '@waybill/contract/ground/endpoint'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { confirm } from '../src/components/confirm.tsx'
import { notify } from '../src/components/feedback/notify.tsx'
import { onePressAtATime, type SendOptions, sendPress } from '../src/components/feedback/use-send.ts'
import { ApiError } from '../src/lib/api.ts'

vi.mock('../src/components/confirm.tsx', () => ({ confirm: vi.fn() }))

const parcels = { id: 'parcels.list', method: 'GET', path: '/parcels', access: 'public', summary: '' } as EndpointShape
const orders = { ...parcels, id: 'orders.list' }
const refuse = (message: string) => new ApiError({ statusCode: 422, code: 'validation', message })
const refusal = refuse('No.')

/** The calls in the order in which they were made. */
let steps: string[]
let client: QueryClient

beforeEach(() => {
  steps = []
  client = new QueryClient()
  for (const { id } of [parcels, orders]) client.setQueryData(['call', id, null, null, null], [])
  vi.spyOn(notify, 'success').mockImplementation((text) => void steps.push(`toast ${text}`))
  vi.spyOn(notify, 'error').mockImplementation((text) => void steps.push(`error ${text}`))
})
afterEach(() => vi.restoreAllMocks())

const isStale = ({ id }: EndpointShape) => client.getQueryState(['call', id, null, null, null])?.isInvalidated

const press = <T>(work: () => Promise<T> | T, options: SendOptions<[string], T> = {}) =>
  sendPress<[string], T>(client, { args: ['an argument'], work, options }).catch(() => undefined)

test('refreshes, shows the toast and calls onSuccess after success, in this order', async () => {
  await press(() => ({ number: 'GN-1' }), {
    refresh: [parcels],
    success: ({ number }) => `Packed ${number}`,
    onSuccess: ({ number }) => steps.push(`close ${number}, refreshed: ${isStale(parcels)}`),
  })
  expect(steps).toEqual(['toast Packed GN-1', 'close GN-1, refreshed: true'])
  expect(isStale(orders)).toBe(false)
})

test('shows no toast if its text is null', async () => {
  await press(() => 1, { success: () => null })
  await press(() => 1)
  expect(steps).toEqual([])
})

test('shows an error in the error dialog, without toast, refresh or onSuccess', async () => {
  const work = () => Promise.reject(refusal)
  await press(work, { refresh: [parcels], success: 'Saved', onSuccess: () => steps.push('close') })
  expect(steps).toEqual(['error No.'])
  expect(isStale(parcels)).toBe(false)
})

test('does not show an error that the screen handles', async () => {
  const onError = (error: unknown) => error === refusal && steps.push('at its field') > 0
  await press(() => Promise.reject(refusal), { onError })
  await press(() => Promise.reject(refuse('Other.')), { onError })
  expect(steps).toEqual(['at its field', 'error Other.'])
})

test('fetches only the responses in refreshOnError again after an error', async () => {
  await press(() => Promise.reject(refusal), { refresh: [parcels], refreshOnError: [orders] })
  expect([isStale(parcels), isStale(orders)]).toEqual([false, true])
})

test('fetches the stale responses again after a conflict, unless the screen handles it', async () => {
  const conflict = new ApiError({ statusCode: 409, code: 'version_conflict', message: 'Reload it.' })
  const work = () => Promise.reject(conflict)
  await press(work, { refresh: [parcels], onError: () => true })
  await press(work, { refresh: [parcels], refreshOnError: [orders] })
  expect([isStale(parcels), isStale(orders)]).toEqual([false, true])
  await press(work, { refresh: [parcels] })
  expect(isStale(parcels)).toBe(true)
})

test('fetches the stale responses again if the record is gone', async () => {
  const missingRecord = new ApiError({ statusCode: 404, code: 'not_found', message: 'Removed.' })
  await press(() => Promise.reject(missingRecord), { refresh: [parcels] })
  expect(isStale(parcels)).toBe(true)
})

test('says what is wrong with the fields of a request without a form', async () => {
  const fields = ['These columns are missing: Postcode.', 'File can have at most 5000 rows.']
  // Two rows with the same problem name it once.
  const errors = [...fields, ...fields].map((message) => ({ field: 'file', message }))
  const reject = (code: string) => () =>
    Promise.reject(new ApiError({ statusCode: 422, code, message: 'Check the marked fields.', errors }))
  await press(reject('validation'))
  // Any other message says more than those of its fields.
  await press(reject('pickup_full'))
  expect(steps).toEqual([`error ${fields.join('\n')}`, 'error Check the marked fields.'])
})

test('reports an error of the steps after the request, so that a failed press never looks like success', async () => {
  await press(() => 1, {
    onSuccess: () => {
      throw refuse('Could not leave.')
    },
  })
  expect(steps).toEqual(['error Could not leave.'])
})

test('works without a cache, as on the sign-in page', async () => {
  await sendPress(undefined, { args: [], work: () => 1, options: { refresh: [parcels], success: 'Sent' } })
  expect(steps).toEqual(['toast Sent'])
})

test('ignores a second press while the first request is pending', async () => {
  const send = onePressAtATime()
  const answer = Promise.withResolvers<void>()
  const first = send(null, () => answer.promise)
  expect(await send(null, () => Promise.resolve(steps.push('second')))).toBe(false)
  answer.resolve()
  expect(await first).toBe(true)
  expect(steps).toEqual([])
})

test('sends the next press after a failure', async () => {
  const send = onePressAtATime()
  expect(await send(null, () => Promise.reject(refusal))).toBe(false)
  expect(await send(null, () => Promise.resolve())).toBe(true)
})

test('sends nothing without consent', async () => {
  const question = { title: 'Remove?', message: '', action: 'Remove' }
  const send = onePressAtATime()
  vi.mocked(confirm).mockResolvedValueOnce(false)
  expect(await send(question, () => Promise.resolve(steps.push('sent')))).toBe(false)
  vi.mocked(confirm).mockResolvedValueOnce(true)
  expect(await send(question, () => Promise.resolve(steps.push('sent')))).toBe(true)
  expect(steps).toEqual(['sent'])
})

test('passes the sent values to texts and callbacks', async () => {
  await press(() => 1, { success: (result, argument) => `${result} for ${argument}` })
  await press(() => Promise.reject(refusal), { onError: (_, argument) => steps.push(`refused ${argument}`) > 0 })
  expect(steps).toEqual(['toast 1 for an argument', 'refused an argument'])
})
