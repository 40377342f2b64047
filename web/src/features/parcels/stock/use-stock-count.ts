import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { listStockNumbers } from '@waybill/contract/parcels/stock'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { beep } from '../../../lib/browser/sound.ts'
import { useSharedKept } from '../../../lib/browser/user-storage.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useSession } from '../../../lib/session.ts'

/** A count in progress: when it began, what the station had on record then, and what was scanned. */
export type OpenCount = {
  at: string
  expected: readonly string[]
  /** What riders may have brought back after a failed attempt. A count that an earlier version began has none. */
  broughtBack?: readonly string[]
  /** Our numbers by those of carriers. A count that an earlier version began has none. */
  ownNumbers?: Readonly<Record<string, string>>
  scans: readonly string[]
}

/** The number of a scan; for a carrier's label ours. */
export function readStockScan(text: string, prefix: string, { ownNumbers }: Pick<OpenCount, 'ownNumbers'>): string {
  const { number } = readTrackingNumber(text, prefix)
  return ownNumbers?.[number] ?? number
}

/** What the scan of a number says: it was expected, brought back by a rider, or is not on record here. */
export function getScanJudge({ expected, broughtBack }: Pick<OpenCount, 'expected' | 'broughtBack'>) {
  const [expectedNumbers, backNumbers] = [new Set(expected), new Set(broughtBack)]
  return (number: string) => (expectedNumbers.has(number) ? 'there' : backNumbers.has(number) ? 'back' : 'more')
}

/**
 * The count of a station on this device. It survives a reload, and needs no connection until its end. Several tabs may
 * scan for it.
 */
export function useStockCount(stationId: string) {
  const t = useT()
  const format = useFormat()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  const [open, setOpen] = useSharedKept<OpenCount | null>(`stock-count-${stationId}`, null)
  const [feedback, setFeedback] = useState<{ well: boolean; text: string } | null>(null)

  async function begin(): Promise<void> {
    const { at, numbers, broughtBack, ownNumbers } = await call(listStockNumbers, { query: { stationId } })
    setFeedback(null)
    setOpen({ at, expected: numbers, broughtBack, ownNumbers, scans: [] })
  }
  function showFeedback(well: boolean, text: string) {
    beep(well)
    setFeedback({ well, text })
  }
  function scan(texts: readonly string[]) {
    if (!open) return
    const judge = getScanJudge(open)
    const scans = new Set(open.scans)
    const numbers: string[] = []
    for (const text of texts) {
      const number = readStockScan(text, prefix, open)
      const label = format.trackingNumber(number)
      const judgement = scans.has(number) ? 'again' : judge(number)
      showFeedback(judgement !== 'more', t(`stockCount.${judgement}`, { number: label }))
      scans.add(number)
      numbers.push(number)
    }
    // Another tab may have scanned meanwhile, or ended the count.
    setOpen((present) => present && { ...present, scans: [...new Set([...present.scans, ...numbers])] })
  }
  const undo = (number: string) =>
    setOpen((present) => present && { ...present, scans: present.scans.filter((each) => each !== number) })
  const close = () => setOpen(null)

  const scannedNumbers = new Set(open?.scans)
  const byJudgement = Map.groupBy(open?.scans ?? [], getScanJudge(open ?? { expected: [] }))
  return {
    open,
    begin,
    scan,
    undo,
    close,
    feedback,
    found: byJudgement.get('there') ?? [],
    back: byJudgement.get('back') ?? [],
    extra: byJudgement.get('more') ?? [],
    toCome: open?.expected.filter((number) => !scannedNumbers.has(number)) ?? [],
  }
}
