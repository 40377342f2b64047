import { StationChoice, useChosenStation } from '../../features/parcels/scanning/station-choice.tsx'
import { PickupTasksPage } from '../../features/pickups/pickup-tasks-page.tsx'

/** The pickups of the station that this member of staff works at, or stands in for. */
export function StaffPickupsPage() {
  const [stationId, choose] = useChosenStation()
  return <PickupTasksPage stationId={stationId} stationChoice={<StationChoice value={stationId} onChange={choose} />} />
}
