/**
 * The common way for a screen to send a request: confirmation, pending flag, refresh, toast and error in one place.
 */
import { type QueryClient, QueryClientContext } from '@tanstack/react-query'
import { useContext, useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../lib/api.ts'
import { type EndpointId, refreshAnswers } from '../../lib/refresh-answers.ts'
import { type ConfirmQuestion, confirm } from '../confirm.tsx'
import { notify } from './notify.tsx'

export type SendOptions<A extends readonly unknown[], T> = {
  /** The question before the request; null for none. Nothing is sent unless the user confirms. */
  confirm?: ConfirmQuestion | ((...args: A) => ConfirmQuestion | null)
  /** Endpoints whose cached responses the request makes stale. They are fetched again before the toast. */
  refresh?: readonly EndpointId[]
  /**
   * The same after an error: the screen was probably out of date. Without it, `refresh` applies after a conflict (409)
   * or a missing record (404) that `onError` does not handle.
   */
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
 * Shows the error of a call as `errorMessage` describes it. An aborted call shows nothing.
 */
export function notifyProblem(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  // The session-expired dialog already informs the user.
  if (error instanceof ApiError && error.code === 'session_expired') return
  notify.error(errorMessage(error))
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
    const isHandled = options.onError?.(error, ...args)
    // A colleague or another tab was faster, and changed or removed the record: the same press would fail again.
    const isOutdated = !isHandled && error instanceof ApiError && [404, 409].includes(error.statusCode)
    const stale = options.refreshOnError ?? (isOutdated && options.refresh)
    if (client && stale) void refreshAnswers(client, stale)
    if (!isHandled) notifyProblem(error)
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

/** Moves the focus to the pressed button, or to the heading if the button is gone. Only if nothing has the focus. */
function returnFocus(pressed: Element | null): void {
  const isLost = () => document.activeElement === document.body
  if (!(pressed instanceof HTMLButtonElement) || !isLost()) return
  pressed.focus({ preventScroll: true })
  if (isLost()) document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
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
  const pressed = useRef<Element | null>(null)
  // A button loses the focus while it is disabled, as during its request, or when its own result removes it.
  useEffect(() => {
    if (!pending) returnFocus(pressed.current)
  }, [pending])
  const send = (...args: A): Promise<boolean> => {
    const { confirm: question = null, ...others } = options
    return press(typeof question === 'function' ? question(...args) : question, async () => {
      pressed.current = document.activeElement
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
