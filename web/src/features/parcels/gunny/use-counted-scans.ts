import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { StaffGunny } from '@waybill/contract/parcels/gunny'
import { useState } from 'react'
import { beep } from '../../../lib/browser/sound.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'

/** The result of the latest scan. */
export type Feedback = { well: boolean; text: string }

/**
 * The numbers that were scanned in this count, compared with the expected ones, and the result of the latest scan. Any
 * other text goes to `onUncounted`, with the reason.
 */
export function useCountedScans(gunny: StaffGunny, onUncounted: (number: string, text: string) => void) {
  const t = useT()
  const format = useFormat()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  // A reload or another page must not lose a count of many parcels.
  const [scans, setScans] = useKept<readonly string[]>(`gunny-${gunny.id}-${gunny.nextCheck}`, [])
  const [feedback, setFeedback] = useState<Feedback | null>(null)
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

  function scan(numbers: readonly string[]) {
    const more = new Set(scans)
    for (const text of numbers) {
      const reading = readTrackingNumber(text, prefix)
      const label = format.trackingNumber(reading.number)
      if (!isParcel(text)) {
        showFeedback(false, t('gunnyStation.wrong', { number: label }))
        onUncounted(reading.number, t('gunnyStation.notCounted'))
      } else if (more.has(reading.number)) showFeedback(true, t('gunnyStation.again', { number: label }))
      else {
        more.add(reading.number)
        const isExpected = expectedNumbers.has(reading.number)
        showFeedback(isExpected, t(isExpected ? 'gunnyStation.there' : 'gunnyStation.more', { number: label }))
      }
    }
    setScans([...more])
  }

  return { scans, setScans, there, extra, toCome, feedback, setFeedback, showFeedback, scan, mayBeGunny }
}
