import { useNavigate } from '@tanstack/react-router'
import { createTrip, listTrips } from '@waybill/contract/parcels/transport/trips'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCallOnce } from '../../../lib/once.ts'
import { useCall } from '../../../lib/query.ts'
import { StationChoice } from '../scanning/station-choice.tsx'
import { TripFields, type TripValues } from './trip-form.tsx'

type Props = {
  /** Where it departs. */
  stationId: string | null
  /** Chooses that station; null: the user's own. */
  onStation: ((id: string | null) => void) | null
  onClose: () => void
}

/** Begins a trip, and opens its page for loading. */
export function NewTrip({ stationId, onStation, onClose }: Props) {
  const t = useT()
  const navigate = useNavigate()
  const callOnce = useCallOnce()
  const recentTrips = useCall(listTrips, { query: { ...(stationId && { stationId }), limit: 50 } })
  const initial: TripValues = { toStationId: null, vehicle: '', driverName: '' }
  const form = useContractForm({
    schema: createTrip.body,
    initial,
    prepare: (values) => ({ ...values, ...(stationId && { stationId }) }),
    onSubmit: (body) => callOnce(createTrip, { body }),
    refresh: [listTrips],
    onSuccess: ({ id }) => navigate({ to: '/staff/trips/$id', params: { id } }),
  })
  return (
    <SaveDialog title={t('tripPage.newTitle')} form={form} onClose={onClose} save={t('tripPage.begin')}>
      {onStation && <StationChoice value={stationId} onChange={onStation} />}
      <TripFields form={form} fromStationId={stationId} recentTrips={recentTrips.data?.items ?? []} />
    </SaveDialog>
  )
}
