import { Button } from '@mantine/core'
import { scanPickup } from '@waybill/contract/pickups/rider-tasks'
import { useState } from 'react'
import type { ConfirmQuestion } from '../../components/confirm.tsx'
import { errorMessage } from '../../components/feedback/notify.tsx'
import { ScanNotice, useScanResult } from '../../components/feedback/scan-notice.tsx'
import { ScanField } from '../../components/fields/scan-field.tsx'
import { Buttons, LineList, Stack } from '../../components/layout/boxes.tsx'
import { Mono } from '../../components/layout/text.tsx'
import { call } from '../../lib/api.ts'
import { lastingUserStorage, useStored } from '../../lib/browser/user-storage.ts'
import { useFormat } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { sendInOrder } from '../../lib/send-queue/send-in-order.ts'
import classes from './pickups.module.css'

/** A number that is not recorded: refused with a reason, or (null) not answered yet. */
type Unrecorded = { number: string; text: string | null }

/**
 * Scans at a pickup, sent in order, even if they come fast. Unrecorded numbers stay in a list, which survives a closed
 * dialog, a reload and a sign-out: a rider often has no connection.
 */
export function usePickupScans(taskId: string, onScanned: () => Promise<void>) {
  const t = useT()
  const format = useFormat()
  const [inOrder] = useState(sendInOrder<void>)
  const { result, show } = useScanResult()
  const [unrecorded, setUnrecorded] = useStored<readonly Unrecorded[]>(lastingUserStorage, `pickup-${taskId}`, [])
  const [inFlight, setInFlight] = useState<readonly string[]>([])
  const dismiss = (number: string) => setUnrecorded((before) => before.filter((each) => each.number !== number))
  const keep = (entry: Unrecorded) =>
    setUnrecorded((before) => [...before.filter(({ number }) => number !== entry.number), entry])

  async function report(number: string) {
    try {
      const { scanned } = await call(scanPickup, { params: { id: taskId }, body: { trackingNumber: number } })
      // An unexpected parcel counts as a failure only at its first scan.
      const succeeded = scanned.repeated || !scanned.extra
      const outcome = scanned.repeated ? 'scannedAgain' : scanned.extra ? 'scannedExtra' : 'scanned'
      show(succeeded, scanned.trackingNumber, t(`pickupTasks.${outcome}`))
      dismiss(number)
      await onScanned()
    } catch (error) {
      const text = errorMessage(error)
      show(false, number, text)
      keep({ number, text })
    } finally {
      setInFlight((before) => before.filter((each) => each !== number))
    }
  }
  function take(numbers: readonly string[]) {
    for (const number of numbers) {
      keep({ number, text: null })
      setInFlight((before) => [...before, number])
      void inOrder(number, () => report(number))
    }
  }
  const failures = unrecorded.filter(({ number, text }) => text !== null || !inFlight.includes(number))
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
  return { result, failures, isSending: inFlight.length > 0, take, dismiss, question, clear: () => setUnrecorded([]) }
}

type Props = {
  scans: ReturnType<typeof usePickupScans>
  /** Scanning is the main action; later it is the completion of the pickup. */
  main: boolean
}

/** The scan field of a pickup, with the result of the latest scan and the scans that are not recorded. */
export function PickupScans({ scans: { result, failures, take, dismiss }, main }: Props) {
  const t = useT()
  const format = useFormat()
  return (
    <Stack gap={20}>
      <ScanField label={t('pickupTasks.scan')} action={t('scanPage.report')} main={main} onScan={take} />
      <ScanNotice result={result} ready={t('scanPage.ready')} />
      {failures.length > 0 && (
        <LineList className={classes.parcels} aria-label={t('scanPage.failed')}>
          {failures.map(({ number, text }) => (
            <li key={number}>
              <Mono>{format.trackingNumber(number)}</Mono>
              <span>{text ?? t('scanPage.waiting')}</span>
              <Buttons as="span">
                <Button size="compact-sm" onClick={() => take([number])}>
                  {t('actions.tryAgain')}
                </Button>
                <Button size="compact-sm" variant="subtle" onClick={() => dismiss(number)}>
                  {t('scanPage.dismiss')}
                </Button>
              </Buttons>
            </li>
          ))}
        </LineList>
      )}
    </Stack>
  )
}
