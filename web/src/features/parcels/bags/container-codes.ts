/** Codes and seals of bags and gunnies among the scans of a station. */
import { normalizeTrackingNumber } from '@waybill/contract/ground/tracking-number'
import type { FailedScan } from '../../../components/scans/failed-scans.tsx'

/** The digits of an SSCC, with or without the identifier that GS1-128 puts before it. */
export const ssccPattern = /^(?:00)?(\d{18})$/

/** Whether a code is that of a bag or a gunny: its number, or the SSCC of its label. */
export function isContainerCode(code: string): boolean {
  const number = normalizeTrackingNumber(code)
  return ssccPattern.test(number) || /^(BG|GY)\d{7,11}$/.test(number)
}

/** Whether two seals are the same, whatever their case and separators: people type what they read. */
export function isSameSeal(one: string, other: string): boolean {
  return normalizeTrackingNumber(one) === normalizeTrackingNumber(other)
}

/**
 * A refused scan with the buttons that send it again. A text that cannot be a number is corrected instead. The code of
 * a bag or gunny is sent again, though it is not the number of a parcel.
 */
export function toRepeatable(failure: FailedScan, scan: (numbers: readonly string[]) => void): FailedScan {
  return {
    ...failure,
    onAgain: () => scan([failure.number]),
    ...(!isContainerCode(failure.number) && {
      onCorrect: (corrected: string) => {
        failure.onDismiss()
        scan([corrected])
      },
    }),
  }
}
