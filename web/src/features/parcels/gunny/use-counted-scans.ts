import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { StaffGunny } from '@waybill/contract/parcels/gunny'
import { useRef, useState } from 'react'
import type { useUnrecordedScans } from '../../../components/scans/use-unrecorded-scans.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useSharedKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'

/** The result of the latest scan. */
export type Feedback = { well: boolean; text: string }

/**
 * The numbers that were scanned in this count, compared with the expected ones, and the result of the latest scan. Any
 * other text is kept in `uncounted`, with the reason.
 */
export function useCountedScans(gunny: StaffGunny, uncounted: ReturnType<typeof useUnrecordedScans>) {
  const t = useT()
  const format = useFormat()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  // A reload, another page or another tab must not lose a count of many parcels. Each count has scans of its own.
  const [scans, setScans] = useSharedKept<readonly string[]>(`gunny-${gunny.id}-${gunny.checks.length}`, [])
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  /** The numbers of the end that was sent; null: the count goes on. Numbers that are scanned meanwhile are late. */
  const [finalNumbers, setFinalNumbers] = useState<readonly string[] | null>(null)
  const late = useRef<readonly string[]>([])
  const expectedNumbers = new Set(gunny.expected)
  const there = scans.filter((each) => expectedNumbers.has(each))
  const extra = scans.filter((each) => !expectedNumbers.has(each))
  const toCome = gunny.expected.filter((each) => !scans.includes(each))

  function showFeedback(well: boolean, text: string) {
    beep(well)
    setFeedback({ well, text })
  }

  function isParcel(text: string): boolean {
    const { kind, number } = readTrackingNumber(text, prefix)
    return (kind !== 'slip' && kind !== 'unknown') || expectedNumbers.has(number)
  }
  const mayBeGunny = (text: string) => readTrackingNumber(text, prefix).kind === 'unknown'

  /** Lists a number that was scanned after the count had been sent. A reload before the answer must not lose it. */
  function listLate(number: string) {
    const text = t('gunnyStation.late', { number: format.trackingNumber(gunny.number) })
    late.current = [...late.current, number]
    showFeedback(false, text)
    uncounted.refuse([number], text)
  }
  /** Sends the end of the count with these numbers. If it is refused, the late ones are counted after all. */
  async function end(numbers: readonly string[], send: () => Promise<boolean>) {
    late.current = []
    setFinalNumbers(numbers)
    const isOver = await send()
    setFinalNumbers(null)
    if (isOver) return
    setScans((present) => [...new Set([...present, ...late.current])])
    uncounted.dismiss(late.current)
  }

  function scan(numbers: readonly string[]) {
    const scannedNumbers = new Set(scans)
    const newNumbers: string[] = []
    for (const text of numbers) {
      const reading = readTrackingNumber(text, prefix)
      const label = format.trackingNumber(reading.number)
      if (!isParcel(text)) {
        showFeedback(false, t('gunnyStation.wrong', { number: label }))
        uncounted.refuse([reading.number], t('gunnyStation.notCounted'))
      } else if (finalNumbers && !finalNumbers.includes(reading.number)) listLate(reading.number)
      else if (scannedNumbers.has(reading.number)) showFeedback(true, t('gunnyStation.again', { number: label }))
      else {
        scannedNumbers.add(reading.number)
        newNumbers.push(reading.number)
        uncounted.dismiss([reading.number])
        const isExpected = expectedNumbers.has(reading.number)
        showFeedback(isExpected, t(isExpected ? 'gunnyStation.there' : 'gunnyStation.more', { number: label }))
      }
    }
    setScans((present) => [...new Set([...present, ...newNumbers])])
  }

  const failures = uncounted.failures.map((failure) => ({
    ...failure,
    onCorrect: (corrected: string) => {
      failure.onDismiss()
      scan([corrected])
    },
  }))

  return {
    scans,
    setScans,
    there,
    extra,
    toCome,
    feedback,
    setFeedback,
    showFeedback,
    scan,
    end,
    failures,
    listLate,
    mayBeGunny,
  }
}
