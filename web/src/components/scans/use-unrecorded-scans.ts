import { useState } from 'react'
import { lastingUserStorage, useStored } from '../../lib/browser/user-storage.ts'
import { useT } from '../../lib/i18n.ts'
import { sendInOrder } from '../../lib/send-queue/send-in-order.ts'
import type { FailedScan } from './failed-scans.tsx'

/** A number that is not recorded: refused with a reason, or (null) not answered yet. */
type UnrecordedScan = { number: string; text: string | null }

/**
 * Numbers of a page that sends scans at once, until they are recorded or dismissed, for `FailedScans`. They survive a
 * closed dialog, a reload and a sign-out. `send` makes one request after the other; `report` must not throw, and calls
 * `refuse` or `dismiss` for each of its numbers.
 */
export function useUnrecordedScans(name: string) {
  const t = useT()
  const [inOrder] = useState(sendInOrder<unknown>)
  const [unrecorded, setUnrecorded] = useStored<readonly UnrecordedScan[]>(lastingUserStorage, name, [])
  const [inFlight, setInFlight] = useState<readonly string[]>([])
  const without = (entries: readonly UnrecordedScan[], numbers: readonly string[]) =>
    entries.filter(({ number }) => !numbers.includes(number))
  const dismiss = (numbers: readonly string[]) => setUnrecorded((before) => without(before, numbers))
  const keep = (numbers: readonly string[], text: string | null) =>
    setUnrecorded((before) => [...without(before, numbers), ...numbers.map((number) => ({ number, text }))])

  async function send(numbers: readonly string[], report: () => Promise<void>): Promise<void> {
    keep(numbers, null)
    setInFlight((before) => [...before, ...numbers])
    await inOrder(numbers.join(' '), report)
    setInFlight((before) => before.filter((each) => !numbers.includes(each)))
  }
  const failures = unrecorded
    .filter(({ number, text }) => text !== null || !inFlight.includes(number))
    .map(
      ({ number, text }): FailedScan => ({
        id: number,
        number,
        text: text ?? t('scanPage.waiting'),
        onDismiss: () => dismiss([number]),
      }),
    )
  return {
    failures,
    isSending: inFlight.length > 0,
    inOrder,
    send,
    refuse: (numbers: readonly string[], text: string) => keep(numbers, text),
    dismiss,
    clear: () => setUnrecorded([]),
  }
}
