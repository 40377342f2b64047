import { Button } from '@mantine/core'
import { recentScans, type ScanResult, undoScan } from '@waybill/contract/parcels/scanning'
import { useEffect, useState } from 'react'
import { notify } from '../../../components/feedback/notify.tsx'
import { useSend } from '../../../components/feedback/use-send.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { isDecided } from '../../../lib/once.ts'

/** Undoes the newest scan of a parcel. Hidden after the time limit, and after a refusal. */
export function UndoButton({ scan, onUndone }: { scan: ScanResult; onUndone: (number: string) => void }) {
  const t = useT()
  const until = scan.undoUntil === null ? 0 : Date.parse(scan.undoUntil)
  const [over, setOver] = useState(() => until <= Date.now())
  useEffect(() => {
    const remainingMs = until - Date.now()
    setOver(remainingMs <= 0)
    if (remainingMs <= 0) return
    const timer = setTimeout(() => setOver(true), remainingMs)
    return () => clearTimeout(timer)
  }, [until])
  const undo = useSend(() => call(undoScan, { params: { id: scan.id } }), {
    refresh: [recentScans],
    refreshOnError: [recentScans],
    onSuccess: () => onUndone(scan.trackingNumber),
    // The focus is left alone, because scanning may continue.
    onError(error) {
      if (isDecided(error)) setOver(true)
      notify.info(errorMessage(error))
      return true
    },
  })
  if (over) return null
  return (
    <Button size="compact-sm" loading={undo.pending} onClick={() => void undo.send()}>
      {t('scanPage.undo')}
    </Button>
  )
}
