import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { listStockNumbers } from '@waybill/contract/parcels/stock'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'

/** A count that goes on: when it began, what the station had on record then, and what was scanned. */
export type OpenCount = {
  at: string
  expected: readonly string[]
  /** Our numbers by those of carriers. A count that an earlier version began has none. */
  ownNumbers?: Readonly<Record<string, string>>
  scans: readonly string[]
}

/** The number of a scan; for a carrier's label ours. */
export function readStockScan(text: string, prefix: string, { ownNumbers }: Pick<OpenCount, 'ownNumbers'>): string {
  const { number } = readTrackingNumber(text, prefix)
  return ownNumbers?.[number] ?? number
}

/** The count of a station on this device. It survives a reload, and needs no connection until its end. */
export function useStockCount(stationId: string) {
  const t = useT()
  const format = useFormat()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  const [open, setOpen] = useKept<OpenCount | null>(`stock-count-${stationId}`, null)
  const [feedback, setFeedback] = useState<{ well: boolean; text: string } | null>(null)

  async function begin(): Promise<void> {
    const { at, numbers, ownNumbers } = await call(listStockNumbers, { query: { stationId } })
    setFeedback(null)
    setOpen({ at, expected: numbers, ownNumbers, scans: [] })
  }
  function showFeedback(well: boolean, text: string) {
    beep(well)
    setFeedback({ well, text })
  }
  function scan(texts: readonly string[]) {
    if (!open) return
    const expected = new Set(open.expected)
    const scans = new Set(open.scans)
    for (const text of texts) {
      const number = readStockScan(text, prefix, open)
      const label = format.trackingNumber(number)
      const isThere = expected.has(number)
      if (scans.has(number)) showFeedback(true, t('stockCount.again', { number: label }))
      else showFeedback(isThere, t(isThere ? 'stockCount.there' : 'stockCount.more', { number: label }))
      scans.add(number)
    }
    setOpen({ ...open, scans: [...scans] })
  }
  const undo = (number: string) => open && setOpen({ ...open, scans: open.scans.filter((each) => each !== number) })
  const close = () => setOpen(null)

  const expectedNumbers = new Set(open?.expected)
  const scannedNumbers = new Set(open?.scans)
  return {
    open,
    begin,
    scan,
    undo,
    close,
    feedback,
    found: open?.scans.filter((number) => expectedNumbers.has(number)) ?? [],
    extra: open?.scans.filter((number) => !expectedNumbers.has(number)) ?? [],
    toCome: open?.expected.filter((number) => !scannedNumbers.has(number)) ?? [],
  }
}
