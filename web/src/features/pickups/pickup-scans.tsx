import { scanPickup } from '@waybill/contract/pickups/rider-tasks'
import type { ConfirmQuestion } from '../../components/confirm.tsx'
import { ScanField } from '../../components/fields/scan-field.tsx'
import { Stack } from '../../components/layout/boxes.tsx'
import { FailedScans } from '../../components/scans/failed-scans.tsx'
import { ScanNotice, useScanResult } from '../../components/scans/scan-notice.tsx'
import { useUnrecordedScans } from '../../components/scans/use-unrecorded-scans.ts'
import { call, errorMessage } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

/** Scans at a pickup, sent in order, even if they come fast. A rider often has no connection. */
export function usePickupScans(taskId: string, onScanned: () => Promise<void>) {
  const t = useT()
  const format = useFormat()
  const { result, show } = useScanResult()
  const { failures, isSending, send, refuse, dismiss, clear } = useUnrecordedScans(`pickup-${taskId}`)

  async function report(number: string) {
    try {
      const { scanned } = await call(scanPickup, { params: { id: taskId }, body: { trackingNumber: number } })
      // An unexpected parcel counts as a failure only at its first scan.
      const succeeded = scanned.repeated || !scanned.extra
      const outcome = scanned.repeated ? 'scannedAgain' : scanned.extra ? 'scannedExtra' : 'scanned'
      show(succeeded, scanned.trackingNumber, t(`pickupTasks.${outcome}`))
      dismiss([number])
      await onScanned()
    } catch (error) {
      const text = errorMessage(error)
      show(false, number, text)
      refuse([number], text)
    }
  }
  function take(numbers: readonly string[]) {
    for (const number of numbers) void send([number], () => report(number))
  }
  /** The question before the pickup is closed; null if every scan is recorded. */
  const question = (): ConfirmQuestion | null => {
    if (failures.length === 0) return null
    const numbers = failures.map(({ number }) => format.trackingNumber(number).replaceAll(' ', '\u00a0'))
    return {
      title: t('pickupTasks.unrecordedTitle'),
      message: t('pickupTasks.unrecordedText', { numbers: format.list(numbers) }),
      action: t('pickupTasks.acceptUnrecorded'),
    }
  }
  return { result, failures, isSending, take, question, clear }
}

type Props = {
  scans: ReturnType<typeof usePickupScans>
  /** Scanning is the main action; later it is the completion of the pickup. */
  main: boolean
}

/** The scan field of a pickup, with the result of the latest scan and the scans that are not recorded. */
export function PickupScans({ scans: { result, failures, take }, main }: Props) {
  const t = useT()
  return (
    <Stack gap={20}>
      <ScanField label={t('pickupTasks.scan')} action={t('scanPage.report')} main={main} onScan={take} />
      <ScanNotice result={result} ready={t('scanPage.ready')} />
      <FailedScans
        scans={failures.map((scan) => ({
          ...scan,
          onAgain: () => take([scan.number]),
          onCorrect: (corrected) => {
            scan.onDismiss()
            take([corrected])
          },
        }))}
      />
    </Stack>
  )
}
