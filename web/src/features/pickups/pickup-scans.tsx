import { Button } from '@mantine/core'
import { scanPickup } from '@waybill/contract/pickups/rider-tasks'
import { useRef, useState } from 'react'
import { messageOf } from '../../components/notify.tsx'
import { ScanField } from '../../components/scan-field/scan-field.tsx'
import { call } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { beep } from '../../lib/sound.ts'
import classes from './pickups.module.css'

type Failure = { number: string; text: string }
type Props = { taskId: string; onScanned: () => Promise<void> }

/** Scans at a pickup, sent one after the other however fast they come. A refused number stays in a list. */
export function PickupScans({ taskId, onScanned }: Props) {
  const t = useT()
  const queue = useRef(Promise.resolve())
  const [news, setNews] = useState<{ well: boolean; text: string } | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const dismiss = (number: string) => setFailures((before) => before.filter((each) => each.number !== number))

  async function report(number: string) {
    try {
      const { scanned } = await call(scanPickup, { params: { id: taskId }, body: { trackingNumber: number } })
      const words = scanned.extra ? t('pickupTasks.scannedExtra') : t('pickupTasks.scanned')
      beep(!scanned.extra)
      setNews({ well: !scanned.extra, text: `${scanned.trackingNumber}: ${words}` })
      dismiss(number)
      await onScanned()
    } catch (error) {
      const text = messageOf(error)
      beep(false)
      setNews({ well: false, text: `${number}: ${text}` })
      setFailures((before) => [...before.filter((each) => each.number !== number), { number, text }])
    }
  }
  function take(numbers: readonly string[]) {
    for (const number of numbers) queue.current = queue.current.then(() => report(number))
  }

  return (
    <div className={classes.form}>
      <ScanField label={t('pickupTasks.scan')} action={t('pickupTasks.report')} onScan={take} />
      <p className={classes.told} data-well={news?.well} role="status">
        {news?.text ?? t('scanPage.ready')}
      </p>
      {failures.length > 0 && (
        <ul className={classes.parcels} aria-label={t('scanPage.failed')}>
          {failures.map(({ number, text }) => (
            <li key={number}>
              <strong>{number}</strong>
              <span>{text}</span>
              <span className={classes.actions}>
                <Button size="compact-sm" onClick={() => take([number])}>
                  {t('actions.tryAgain')}
                </Button>
                <Button size="compact-sm" variant="subtle" onClick={() => dismiss(number)}>
                  {t('scanPage.dismiss')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
