import { readTrackingNumber } from '@waybill/contract/ground/tracking-number'
import { staffGunnyByNumber } from '@waybill/contract/parcels/gunny'
import { bagByNumber } from '@waybill/contract/parcels/transport/bags'
import { type TripScan, unloadTrip } from '@waybill/contract/parcels/transport/trips'
import { useRef, useState } from 'react'
import type { FailedScan } from '../../../../components/scans/failed-scans.tsx'
import { useScanResult } from '../../../../components/scans/scan-notice.tsx'
import type { useUnrecordedScans } from '../../../../components/scans/use-unrecorded-scans.ts'
import { ApiError, call, errorMessage } from '../../../../lib/api.ts'
import { beep } from '../../../../lib/browser/sound.ts'
import { useT } from '../../../../lib/i18n.ts'
import { useCallOnce } from '../../../../lib/once.ts'
import { useSession } from '../../../../lib/session.ts'
import { isContainerCode, isSameSeal, toRepeatable } from '../../bags/container-codes.ts'
import type { SealQuestion } from '../../bags/seal-question-panel.tsx'
import { isLoad, type TripRecord } from '../use-trip-record.ts'

/** The seal on record of a bag or gunny that is not on the manifest; null: it has none. */
async function findSeal(kind: SealQuestion['kind'], no: string): Promise<string | null> {
  try {
    const record = await call(kind === 'bag' ? bagByNumber : staffGunnyByNumber, { params: { no } })
    return record.sealNumber
  } catch {
    return null
  }
}

/** What a scan has changed, in words. */
function useScanText() {
  const t = useT()
  return ({ load, changed }: TripScan, code: string): string => {
    if (!changed) return t('tripPage.unloadedBefore')
    if (load.kind === 'bag' && !isLoad(code, load)) return t('tripPage.unloadedFromBag')
    if (load.state === 'extra') return t('tripPage.unloadedExtra')
    if (load.missing.length > 0) return t('tripPage.bagOpened', { count: load.missing.length })
    if (load.kind === 'parcel') return t('tripPage.unloadedParcel')
    return t(`tripPage.unloaded.${load.kind}`, { count: load.parcelCount })
  }
}

/**
 * Unloads what is scanned, one request after the other. The question for the seal of a bag or gunny is in the page, and
 * the same field reads the seal: a dialog would take the keys of the next scan.
 */
export function useUnloading({ latest, apply, reload }: TripRecord, scans: ReturnType<typeof useUnrecordedScans>) {
  const t = useT()
  const describe = useScanText()
  const callOnce = useCallOnce()
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  const { result, show, reset } = useScanResult()
  const [question, setShownQuestion] = useState<SealQuestion | null>(null)
  /** As `question`, for scans that arrive before the next render. */
  const open = useRef<SealQuestion | null>(null)
  const unread = t('tripPage.sealUnread')

  function setQuestion(next: SealQuestion | null) {
    open.current = next
    setShownQuestion(next)
  }
  function ask(content: Omit<SealQuestion, 'reading'>) {
    // Another scan, or a reload, must not lose it.
    scans.refuse([content.code], unread)
    // The box above the question must not name another number.
    reset()
    setQuestion({ ...content, reading: null })
  }

  async function report(code: string, reading: { sealNumber?: string; opened?: true } = {}): Promise<void> {
    try {
      const body = { loadNumber: code, ...reading }
      const answer = await callOnce(unloadTrip, { params: { id: latest().id }, body })
      apply(answer)
      scans.dismiss([code])
      const { load, changed } = answer
      const isUnexpected = changed && load.state === 'extra'
      show(!isUnexpected, isLoad(code, load) ? load.number : code, describe(answer, code))
    } catch (error) {
      const details = error instanceof ApiError && error.code === 'seal_differs' ? error.details : null
      if (typeof details?.number === 'string') {
        const kind = details.kind === 'gunny' ? 'gunny' : 'bag'
        beep(false)
        ask({ code, kind, number: details.number, seal: await findSeal(kind, details.number) })
        return
      }
      scans.refuse([code], errorMessage(error))
      show(false, code, errorMessage(error))
      if (error instanceof ApiError && error.statusCode === 409) reload()
    }
  }
  const send = (code: string, reading?: { sealNumber?: string; opened?: true }) =>
    void scans.send([code], () => report(code, reading))

  function begin(code: string) {
    setQuestion(null)
    const load = latest().loads.find((each) => isLoad(code, each))
    if (!load || load.kind === 'parcel' || load.state !== 'loaded') return send(code)
    const { kind, number, sealNumber } = load
    // The sound of a scan that was understood.
    beep(true)
    ask({ code, kind, number, seal: sealNumber })
  }
  /** Whether a text that is scanned during the question for a seal can be a seal. */
  function mayBeSeal(text: string, { seal }: SealQuestion): boolean {
    if (seal !== null && isSameSeal(text, seal)) return true
    return readTrackingNumber(text, prefix).kind === 'unknown' && !isContainerCode(text)
  }
  function answer(reading: 'intact' | 'opened') {
    if (!open.current) return
    const { code, seal } = open.current
    setQuestion(null)
    send(code, reading === 'opened' ? { opened: true } : { sealNumber: seal ?? '' })
  }
  function readSeal(text: string, content: SealQuestion) {
    if (content.seal !== null && isSameSeal(text, content.seal)) return answer('intact')
    beep(false)
    setQuestion({ ...content, reading: text })
  }
  function scan(numbers: readonly string[]) {
    for (const each of numbers) {
      if (open.current && mayBeSeal(each, open.current)) readSeal(each, open.current)
      else begin(each)
    }
  }

  const failures = scans.failures
    .filter(({ id }) => id !== question?.code)
    .map((failure): FailedScan => {
      if (failure.text !== unread) return toRepeatable(failure, scan)
      return { ...failure, open: { label: t('tripPage.readSeal'), onClick: () => begin(failure.number) } }
    })
  return { result, show, scan, failures, question, answer, leave: () => setQuestion(null) }
}
