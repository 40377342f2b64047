import {
  type Bag,
  type BagDetail,
  bagByNumber,
  emptyBag,
  fillBag,
  listBags,
  openBag,
  sealBag,
  takeFromBag,
} from '@waybill/contract/parcels/transport/bags'
import { useRef, useState } from 'react'
import { useSend } from '../../../components/feedback/use-send.ts'
import { useScanResult } from '../../../components/scans/scan-notice.tsx'
import { useUnrecordedScans } from '../../../components/scans/use-unrecorded-scans.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { isContainerCode, toRepeatable } from './container-codes.ts'
import { useMisrouteText } from './misroute.tsx'

/** Whether it is emptied where it was sent, or has nothing to lose. */
function isEmptiedAsUsual({ status, station, toStation, parcels }: BagDetail): boolean {
  return parcels.length === 0 || (status === 'at_station' && station.id === toStation.id)
}

/** The question before a bag is emptied that is not where it was sent. */
function useEmptyQuestion({ number }: BagDetail) {
  const t = useT()
  const format = useFormat()
  return {
    title: t('bagPage.empty'),
    message: t('bagPage.emptyText', { number: format.trackingNumber(number) }),
    action: t('bagPage.empty'),
  }
}

/**
 * A bag on the screen and everything that staff do with it. Results are shown below the field: a dialog would take the
 * keys of the next scan. The label of another bag opens that one (`onNext`).
 */
export function useBag(initialBag: BagDetail, onNext: (number: string) => void) {
  const t = useT()
  const emptyQuestion = useEmptyQuestion(initialBag)
  const [bag, setBag] = useState(initialBag)
  /** Newest also between two renders: scans change the version that the seal needs. */
  const newest = useRef(bag)
  const scans = useUnrecordedScans(`bag-${bag.id}`)
  const { result, show } = useScanResult()
  const warn = useMisrouteText()
  const params = { id: bag.id }

  function take(changed: BagDetail) {
    newest.current = changed
    setBag(changed)
  }
  const reload = () => call(bagByNumber, { params: { no: bag.number } }).then(take, () => undefined)
  /** Takes over what a scan changed. Each change adds 1 to the version: more is the work of a colleague. */
  function apply(changed: Bag, isChanged: boolean, change: (parcels: BagDetail['parcels']) => BagDetail['parcels']) {
    const before = newest.current
    take({ ...changed, parcels: change(before.parcels) })
    if (changed.version > before.version + (isChanged ? 1 : 0)) void scans.inOrder('reload', reload)
  }
  function showProblem(number: string, error: unknown) {
    show(false, number, errorMessage(error))
    // Someone else sealed, loaded or emptied it: the next press needs its present state.
    if (error instanceof ApiError && error.statusCode === 409) void reload()
  }
  function showDone(changed: BagDetail, text: string) {
    take(changed)
    show(true, changed.number, text)
  }
  const handled = (error: unknown) => {
    showProblem(bag.number, error)
    return true
  }

  async function fill(number: string): Promise<void> {
    try {
      const { bag: filledBag, parcel, changed } = await call(fillBag, { params, body: { trackingNumber: number } })
      apply(filledBag, changed, (parcels) => [parcel, ...parcels.filter(({ id }) => id !== parcel.id)])
      scans.dismiss([number])
      const text = t(changed ? 'bagPage.filled' : 'bagPage.filledBefore')
      // It is in the bag, and the clerk must notice the warning.
      show(parcel.misroute === null, parcel.trackingNumber, warn(text, parcel.misroute))
    } catch (error) {
      scans.refuse([number], errorMessage(error))
      showProblem(number, error)
    }
  }
  async function takeOut(parcelId: string, number: string): Promise<void> {
    try {
      const changedBag = await call(takeFromBag, { params: { ...params, parcelId } })
      apply(changedBag, true, (parcels) => parcels.filter(({ id }) => id !== parcelId))
      show(true, number, t('bagPage.takenOut'))
    } catch (error) {
      showProblem(number, error)
    }
  }
  function scan(numbers: readonly string[]) {
    for (const number of numbers) {
      if (isContainerCode(number)) onNext(number)
      else void scans.send([number], () => fill(number))
    }
  }

  const version = () => newest.current.version
  const options = { refresh: [listBags], onError: handled }
  const sealing = useSend((sealNumber: string) => call(sealBag, { params, body: { version: version(), sealNumber } }), {
    ...options,
    onSuccess: (sealed) => showDone(sealed, t('bagPage.sealedNow')),
  })
  const opening = useSend(() => call(openBag, { params, body: { version: version() } }), {
    ...options,
    onSuccess: (opened) => showDone(opened, t('bagPage.openedNow')),
  })
  const emptying = useSend(() => call(emptyBag, { params, body: { version: version() } }), {
    ...options,
    confirm: () => (isEmptiedAsUsual(newest.current) ? null : emptyQuestion),
    onSuccess: (emptied) => showDone(emptied, t('bagPage.emptiedNow')),
  })

  const failures = bag.status === 'open' ? scans.failures.map((each) => toRepeatable(each, scan)) : scans.failures
  return {
    bag,
    result,
    failures,
    showDone,
    handled,
    scan,
    takeOut: (parcelId: string, number: string) => void scans.inOrder(parcelId, () => takeOut(parcelId, number)),
    /** After the scans that are still being sent, with the version that they leave. */
    seal: (sealNumber: string) => void scans.inOrder('seal', () => sealing.send(sealNumber)),
    open: () => void opening.send(),
    empty: () => void emptying.send(),
    pending: sealing.pending || opening.pending || emptying.pending,
  }
}
