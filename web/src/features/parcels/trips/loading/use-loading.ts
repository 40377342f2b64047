import { loadTrip, unloadBeforeDeparture } from '@waybill/contract/parcels/transport/trips'
import { useScanResult } from '../../../../components/scans/scan-notice.tsx'
import type { useUnrecordedScans } from '../../../../components/scans/use-unrecorded-scans.ts'
import { ApiError, call, errorMessage } from '../../../../lib/api.ts'
import { useT } from '../../../../lib/i18n.ts'
import { toRepeatable } from '../../bags/container-codes.ts'
import { useMisrouteText } from '../../bags/misroute.tsx'
import type { TripRecord } from '../use-trip-record.ts'

/** Loads what is scanned, one request after the other, and takes loads off again. */
export function useLoading({ latest, apply, reload }: TripRecord, scans: ReturnType<typeof useUnrecordedScans>) {
  const t = useT()
  const warn = useMisrouteText()
  const { result, show } = useScanResult()

  function showProblem(number: string, error: unknown) {
    show(false, number, errorMessage(error))
    // The trip may have departed, or been cancelled, on another device.
    if (error instanceof ApiError && error.statusCode === 409) reload()
  }

  async function load(number: string): Promise<void> {
    try {
      const answer = await call(loadTrip, { params: { id: latest().id }, body: { loadNumber: number } })
      apply(answer)
      scans.dismiss([number])
      const { load, changed } = answer
      const text = !changed
        ? t('tripPage.loadedBefore')
        : load.kind === 'parcel'
          ? t('tripPage.loadedParcel')
          : t(`tripPage.loaded.${load.kind}`, { count: load.parcelCount })
      // It is loaded, and the clerk must notice the warning.
      show(load.misroute === null, load.number, warn(text, load.misroute))
    } catch (error) {
      scans.refuse([number], errorMessage(error))
      showProblem(number, error)
    }
  }

  async function takeOff(loadId: string, number: string): Promise<void> {
    try {
      const trip = await call(unloadBeforeDeparture, { params: { id: latest().id, loadId } })
      apply({ trip, removedId: loadId })
      show(true, number, t('tripPage.takenOff'))
    } catch (error) {
      showProblem(number, error)
    }
  }

  function scan(numbers: readonly string[]) {
    for (const number of numbers) void scans.send([number], () => load(number))
  }
  const failures = scans.failures.map((failure) => toRepeatable(failure, scan))
  return {
    result,
    show,
    scan,
    failures,
    takeOff: (loadId: string, number: string) => void scans.inOrder(loadId, () => takeOff(loadId, number)),
  }
}
