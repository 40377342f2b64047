import { findAddressee } from '@waybill/contract/ground/status/parcel-status'
import type { Translate } from '@waybill/contract/ground/validation'
import type { FailedAttempt } from '@waybill/contract/parcels/failed-delivery'
import {
  type Custody,
  type ScanEvent,
  scanEvents,
  staffParcelByNumber,
  stationScans,
} from '@waybill/contract/parcels/scanning'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { call, errorMessage, NetworkError } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useT } from '../../../lib/i18n.ts'
import { useOpenNumbers } from '../scan-queue/open-numbers.ts'
import { addScan, useSettledScans } from '../scan-queue/scan-queue.ts'
import { useScanText } from '../scan-queue/use-scan-text.ts'
import { useCustodyText } from './custody-text.ts'
import type { ScanDetails } from './scan-details.tsx'
import { useChosenStation } from './station-choice.tsx'

/** The mode of the scanner: one event for a whole pile, or a question for each parcel. */
export type Mode = ScanEvent | 'ask'
export const modes: readonly Mode[] = ['ask', ...scanEvents]

export type Feedback = { tone: 'waiting' | 'done' | 'failed'; number: string; text: string }
/** `unchecked`: without a connection the possible events are unknown. */
export type Question = {
  number: string
  events: readonly ScanEvent[]
  unchecked: boolean
  /** The sender's instructions for the delivery. */
  remarks: string | null
  failedAttempt: FailedAttempt | null
}

/** Events that need details: the recipient, or the reason of a failure. */
const withDetails: readonly ScanEvent[] = ['departed', 'delivered', 'handed_over', 'attempt_failed', 'return_received']

/**
 * The possible events of a number, or why there are none. Without a connection all are possible, and the server checks
 * later.
 */
async function findQuestion(
  number: string,
  t: Translate,
  custodyText: (custody: Custody) => string,
): Promise<Question | string> {
  try {
    const parcel = await call(staffParcelByNumber, { params: { no: number } })
    const { allowedEvents, failedAttempt, custody } = parcel
    if (allowedEvents.length === 0) return t('scanPage.nothingAllowed', { holder: custodyText(custody) })
    const remarks = findAddressee(parcel)?.remarks ?? null
    return { number, events: allowedEvents, unchecked: false, remarks, failedAttempt }
  } catch (error) {
    if (error instanceof NetworkError)
      return { number, events: scanEvents, unchecked: true, remarks: null, failedAttempt: null }
    return errorMessage(error)
  }
}

/** The latest result, and the numbers that need a decision. `current` is the number of the open question or form. */
function useNews(current: RefObject<string | null>) {
  const scanText = useScanText()
  const [open, setOpen] = useOpenNumbers()
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  function showFeedback(tone: Feedback['tone'], number: string, text: string) {
    if (tone !== 'waiting') beep(tone === 'done')
    setFeedback({ tone, number, text })
  }
  useSettledScans((entry) => {
    // A parcel at the wrong station is recorded, and the clerk must notice it.
    const well = entry.state === 'done' && !entry.answer?.rightStation
    const { trackingNumber } = entry.body
    // Above the form of another parcel, the result would look like that parcel's. The list below has it, too.
    if (current.current !== null && current.current !== trackingNumber) beep(well)
    else showFeedback(well ? 'done' : 'failed', trackingNumber, scanText(entry))
  })
  const drop = (number: string) => setOpen((before) => before.filter((each) => each.number !== number))
  function hold(number: string, text: string) {
    setOpen((before) => [...before.filter((each) => each.number !== number), { number, text }])
    showFeedback('failed', number, text)
  }
  const quiet = () => setFeedback(null)
  return { open, feedback, showFeedback, quiet, drop, hold }
}

/** Handles a scan at this desk: reports it at once, asks for the event, or keeps the number for a decision. */
export function useScanDesk() {
  const t = useT()
  const custodyText = useCustodyText()
  const [stationId, chooseStation] = useChosenStation()
  const [mode, keepMode] = useKept<Mode>('scan-mode', 'ask')
  const [nextStationId, chooseNext] = useKept<string | null>('scan-next-station', null)
  /** The number of the open question, form or look-up. The next scan must not lose it. */
  const current = useRef<string | null>(null)
  const { open, feedback, showFeedback, quiet, drop, hold } = useNews(current)
  const [question, setQuestion] = useState<Question | null>(null)
  const [details, setDetails] = useState<{ number: string; event: ScanEvent } | null>(null)

  function finish() {
    current.current = null
    setQuestion(null)
    setDetails(null)
  }
  /** Keeps the undecided number, unless the same one is scanned now. */
  function leave(number: string | null) {
    const before = current.current
    finish()
    if (before !== null && before !== number) hold(before, t('scanPage.unanswered'))
  }
  function send(number: string, event: ScanEvent, more: ScanDetails = {}) {
    finish()
    drop(number)
    addScan({ trackingNumber: number, event, ...(stationId ? { stationId } : {}), ...more })
    showFeedback('waiting', number, t('scanPage.sending'))
  }
  function begin(number: string, event: ScanEvent) {
    finish()
    if (stationScans.includes(event) && stationId === null) hold(number, t('scanPage.noStation'))
    else if (event === 'departed' && mode === 'departed') {
      if (nextStationId === null) hold(number, t('scanPage.noNextStation'))
      else send(number, event, { nextStationId })
    } else if (withDetails.includes(event)) {
      current.current = number
      quiet()
      setDetails({ number, event })
    } else send(number, event)
  }
  async function ask(number: string) {
    current.current = number
    const scanQuestion = await findQuestion(number, t, custodyText)
    // Another number was scanned meanwhile, so this one is kept for a decision.
    if (current.current !== number) return
    if (typeof scanQuestion !== 'string') {
      quiet()
      setQuestion(scanQuestion)
      return
    }
    finish()
    hold(number, scanQuestion)
  }
  function take(numbers: readonly string[]) {
    for (const number of numbers) {
      quiet()
      leave(number)
      if (mode === 'ask') void ask(number)
      else begin(number, mode)
    }
  }
  function setMode(next: Mode) {
    leave(null)
    keepMode(next)
  }
  // Keeps the number of an open question or form when the page is left or loaded again.
  const leaving = useRef(leave)
  leaving.current = leave
  useEffect(() => {
    const keep = () => leaving.current(null)
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [])

  const setting = { mode, setMode, stationId, chooseStation, nextStationId, chooseNext }
  return { ...setting, open, feedback, showFeedback, drop, question, details, take, begin, send, cancel: finish }
}
