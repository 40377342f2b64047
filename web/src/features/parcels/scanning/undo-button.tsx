import { Button } from '@mantine/core'
import { recentScans, type ScanResult, undoScan } from '@waybill/contract/parcels/scanning'
import { useState } from 'react'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided } from '../../../lib/once.ts'
import { serverNow } from '../../../lib/time/server-clock.ts'
import { useCountdown } from '../../../lib/time/use-countdown.ts'

/** Undoes the newest scan of a parcel. Hidden after the time limit, and after a refusal. */
export function UndoButton({ scan, onUndone }: { scan: ScanResult; onUndone: (number: string) => void }) {
  const t = useT()
  const secondsLeft = useCountdown(scan.undoUntil === null ? 0 : Date.parse(scan.undoUntil), serverNow)
  const [isRefused, setRefused] = useState(false)
  const undo = useSend(() => call(undoScan, { params: { id: scan.id } }), {
    refresh: [recentScans],
    refreshOnError: [recentScans],
    onSuccess: () => onUndone(scan.trackingNumber),
    // The focus is left alone, because scanning may continue.
    onError(error) {
      if (isDecided(error)) setRefused(true)
      notify.info(errorMessage(error))
      return true
    },
  })
  if (secondsLeft === 0 || isRefused) return null
  return (
    <Button size="compact-sm" loading={undo.pending} onClick={() => void undo.send()}>
      {t('scanPage.undo')}
    </Button>
  )
}
