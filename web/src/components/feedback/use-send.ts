/**
 * The common way for a screen to send a request: confirmation, pending flag, refresh, toast and error in one place.
 */
import { type QueryClient, QueryClientContext } from '@tanstack/react-query'
import { useContext, useState } from 'react'
import { type EndpointId, refreshAnswers } from '../../lib/refresh-answers.ts'
import { type ConfirmQuestion, confirm } from '../confirm.tsx'
import { notify } from './notify.tsx'

export type SendOptions<A extends readonly unknown[], T> = {
  /** The question before the request; null for none. Nothing is sent unless the user confirms. */
  confirm?: ConfirmQuestion | ((...args: A) => ConfirmQuestion | null)
  /** Endpoints whose cached responses the request makes stale. They are fetched again before the toast. */
  refresh?: readonly EndpointId[]
  /** The same after an error: the screen was probably out of date. */
  refreshOnError?: readonly EndpointId[]
  /** Text of the toast after success; null shows none. */
  success?: string | ((result: T, ...args: A) => string | null)
  /** Runs last, after the toast: closes the dialog or leaves the page. */
  onSuccess?: (result: T, ...args: A) => unknown
  /** True: the error is handled. Otherwise the error dialog shows it. */
  onError?: (error: unknown, ...args: A) => boolean
}

/** One press of a button, with the options at that time: live events may re-render the screen meanwhile. */
type Press<A extends readonly unknown[], T> = {
  args: A
  work: (...args: A) => Promise<T> | T
  options: Omit<SendOptions<A, T>, 'confirm'>
}

/**
 * The request and the steps around it. Separate from the hook, so that a test can run it without a browser. `client` is
 * undefined on the sign-in page, which caches nothing. Throws the error, which has been reported.
 */
export async function sendPress<A extends readonly unknown[], T>(
  client: QueryClient | undefined,
  { work, args, options }: Press<A, T>,
): Promise<void> {
  try {
    const result = await work(...args)
    if (client && options.refresh) await refreshAnswers(client, options.refresh)
    const text = typeof options.success === 'function' ? options.success(result, ...args) : options.success
    if (text) notify.success(text)
    await options.onSuccess?.(result, ...args)
  } catch (error) {
    if (client && options.refreshOnError) void refreshAnswers(client, options.refreshOnError)
    if (!options.onError?.(error, ...args)) notify.problem(error)
    throw error
  }
}

/**
 * Allows one press at a time: a second one while the first is pending, or while its question is open, sends nothing.
 * Disabling the button alone happens one render too late for a double click.
 */
export function onePressAtATime() {
  let open = false
  return async (question: ConfirmQuestion | null, request: () => Promise<unknown>): Promise<boolean> => {
    if (open) return false
    open = true
    try {
      if (question && !(await confirm(question))) return false
      await request()
      return true
    } catch {
      // `sendPress` has already reported it.
      return false
    } finally {
      open = false
    }
  }
}

/**
 * Sends the request of a button or form:
 *
 *     const remove = useSend((id: string) => call(deleteZone, { params: { id } }), {
 *       refresh: [listZones],
 *       success: t('zonesPage.removed'),
 *     })
 *     <Button onClick={() => void remove.send(zone.id)} loading={remove.pending}>
 *
 * `send` resolves to whether it succeeded and never throws. What must not happen twice goes through `useOnce` in the
 * work.
 */
export function useSend<A extends readonly unknown[], T>(
  work: (...args: A) => Promise<T> | T,
  options: SendOptions<A, T> = {},
) {
  const client = useContext(QueryClientContext)
  const [pending, setPending] = useState(false)
  const [press] = useState(onePressAtATime)
  const send = (...args: A): Promise<boolean> => {
    const { confirm: question = null, ...others } = options
    return press(typeof question === 'function' ? question(...args) : question, async () => {
      setPending(true)
      try {
        await sendPress(client, { args, work, options: others })
      } finally {
        setPending(false)
      }
    })
  }
  return { send, pending }
}
