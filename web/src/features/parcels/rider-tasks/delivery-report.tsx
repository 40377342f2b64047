import { Checkbox } from '@mantine/core'
import { type DeliveryTask, listDeliveryTasks, listFailedDeliveries } from '@waybill/contract/parcels/rider-tasks'
import { recentScans, type ScanEvent, scan } from '@waybill/contract/parcels/scanning'
import { useRef, useState } from 'react'
import { notify } from '../../../components/feedback/notify.tsx'
import { Stack } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { type ScanDetails, ScanDetailsDialog } from '../scanning/scan-details.tsx'
import { findAtDoor, nameAtDoor } from './same-door.ts'

export const staleAfterReport = [listDeliveryTasks, listFailedDeliveries, recentScans]

type Props = {
  task: DeliveryTask
  event: ScanEvent
  /** All tasks of the list: those for the same door can be reported together. */
  tasks: readonly DeliveryTask[]
  onClose: () => void
}

/** The keys of `deliveriesPage` for several parcels at one door. */
const getWords = (event: ScanEvent) =>
  event === 'delivered'
    ? ({ question: 'sameDoor', success: 'deliveredTogether' } as const)
    : ({ question: 'sameDoorFailed', success: 'failedTogether' } as const)

/**
 * The report of a delivery or a failed attempt. Parcels to the same person at the same door are reported together, with
 * one signature or one reason. Not so deliveries with cash to collect: the dialog names them.
 */
export function DeliveryReport({ task, event, tasks, onClose }: Props) {
  const t = useT()
  const format = useFormat()
  const callOnce = useCallOnce()
  const { together: others, alone } = findAtDoor(task, event, tasks)
  const words = getWords(event)
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const together = others.filter(({ id }) => !excluded.includes(id))
  /** What was reported before an error: a second try continues after it. */
  const reported = useRef(new Set<string>())
  /** The parcels of the last try that could not be reported, though others could. */
  const refusals = useRef<{ number: string; error: ApiError }[]>([])
  async function report(details: ScanDetails) {
    const { recipientName, signaturePath, failureReason, note } = details
    // Photos belong to one parcel.
    const shared = event === 'delivered' ? { recipientName, signaturePath } : { failureReason, note }
    refusals.current = []
    for (const each of [task, ...together]) {
      if (reported.current.has(each.id)) continue
      const own = each === task ? details : shared
      try {
        await callOnce(scan, { body: { trackingNumber: each.trackingNumber, event, ...own } })
        reported.current.add(each.id)
      } catch (error) {
        // A conflict is about one parcel. Any other error, such as a mistake in a field, would repeat itself.
        if (!(error instanceof ApiError && error.statusCode === 409)) throw error
        refusals.current.push({ number: each.trackingNumber, error })
      }
    }
    const [first] = refusals.current
    if (first) throw first.error
  }
  return (
    <ScanDetailsDialog
      event={event}
      number={task.trackingNumber}
      cash={{ amountMinor: task.codAmountMinor, currency: task.currency }}
      forSeveral={together.length > 0}
      onCancel={onClose}
      onDone={report}
      sending={{
        refresh: staleAfterReport,
        refreshOnError: staleAfterReport,
        success: () => {
          const count = reported.current.size
          return count > 1 ? t(`deliveriesPage.${words.success}`, { count }) : t(`event.${event}`)
        },
        onError: (error) => {
          const isRefusal = refusals.current.some((refusal) => refusal.error === error)
          if (!isRefusal || others.length === 0) return false
          const lines = refusals.current.map(({ number, error }) =>
            t('phrase.labelled', { label: format.trackingNumber(number), value: errorMessage(error) }),
          )
          notify.error(lines.join('\n'))
          return true
        },
        onSuccess: () => {
          beep(true)
          onClose()
        },
      }}
    >
      {task.to && <strong>{nameAtDoor(task.to)}</strong>}
      {others.length > 0 && (
        <Checkbox.Group
          label={t(`deliveriesPage.${words.question}`)}
          value={together.map(({ id }) => id)}
          onChange={(ids) => setExcluded(others.flatMap(({ id }) => (ids.includes(id) ? [] : id)))}
        >
          <Stack gap={8} style={{ marginBlockStart: 8 }}>
            {others.map(({ id, trackingNumber }) => (
              <Checkbox key={id} value={id} label={format.trackingNumber(trackingNumber)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {alone.length > 0 && (
        <Notice tone="warning" role="note">
          {t('deliveriesPage.alone', {
            count: alone.length,
            amount: format.money(
              alone.reduce((sum, { codAmountMinor }) => sum + (codAmountMinor ?? 0), 0),
              task.currency,
            ),
            numbers: format.list(alone.map(({ trackingNumber }) => format.trackingNumber(trackingNumber))),
          })}
        </Notice>
      )}
    </ScanDetailsDialog>
  )
}
