import { useState } from 'react'
import { beep } from '../../lib/browser/sound.ts'
import { useFormat } from '../../lib/format.ts'
import { getTone, Notice, Quiet } from '../layout/text.tsx'

type ScanResult = { succeeded: boolean; number: string; text: string }

/** The result of the latest scan, for `ScanNotice`. `show` also plays the sound of a success or a failure. */
export function useScanResult() {
  const [result, setResult] = useState<ScanResult | null>(null)
  return {
    result,
    show(succeeded: boolean, number: string, text: string) {
      beep(succeeded)
      setResult({ succeeded, number, text })
    },
    reset: () => setResult(null),
  }
}

/**
 * The result of a scan in colour and words, below the scan field. A dialog would receive the next scan's keys instead
 * of the field. `ready` is shown before the first scan.
 */
export function ScanNotice({ result, ready }: { result: ScanResult | null; ready: string }) {
  const format = useFormat()
  return (
    <Notice as="div" size="lg" tone={getTone(result?.succeeded)} role="status">
      {result ? (
        <>
          <strong>{format.trackingNumber(result.number)}</strong>
          <span>{result.text}</span>
        </>
      ) : (
        <Quiet>{ready}</Quiet>
      )}
    </Notice>
  )
}
