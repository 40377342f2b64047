import { getTrip, listTrips, type Trip, type TripDetail, updateTrip } from '@waybill/contract/parcels/transport/trips'
import { SaveDialog } from '../../../components/feedback/save-dialog.tsx'
import { useRecordVersion } from '../../../components/feedback/use-record-version.ts'
import { useContractForm } from '../../../components/form/contract-form.ts'
import { call } from '../../../lib/api.ts'
import { useT } from '../../../lib/i18n.ts'
import { useCall } from '../../../lib/query.ts'
import { TripFields, type TripValues } from './trip-form.tsx'

type Props = { trip: TripDetail; onSaved: (trip: TripDetail) => void; onClose: () => void }

/** Changes destination, vehicle or driver before the departure. */
export function EditTrip({ trip, onSaved, onClose }: Props) {
  const t = useT()
  const params = { id: trip.id }
  const { version, conflict, onError } = useRecordVersion<Trip>(trip, () => call(getTrip, { params }))
  const recentTrips = useCall(listTrips, { query: { stationId: trip.fromStation.id, limit: 50 } })
  const initial: TripValues = {
    toStationId: trip.toStation.id,
    vehicle: trip.vehicle,
    driverName: trip.driverName,
  }
  const form = useContractForm({
    schema: updateTrip.body,
    initial,
    prepare: (values) => ({ ...values, version }),
    onSubmit: (body) => call(updateTrip, { params, body }),
    refresh: [listTrips],
    success: t('tripPage.changed'),
    onError,
    onSuccess: (saved) => {
      onSaved(saved)
      onClose()
    },
  })
  return (
    <SaveDialog title={t('tripPage.edit')} form={form} onClose={onClose} conflict={conflict}>
      <TripFields form={form} fromStationId={trip.fromStation.id} recentTrips={recentTrips.data?.items ?? []} />
    </SaveDialog>
  )
}
