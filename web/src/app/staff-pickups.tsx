import { PickupTasksPage } from '../features/pickups/pickup-tasks-page.tsx'
import { StationChoice, useChosenStation } from '../features/scans/station-choice.tsx'

/** The pickups of the station that this member of staff works at, or stands in for. */
export function StaffPickupsPage() {
  const [stationId, choose] = useChosenStation()
  return <PickupTasksPage stationId={stationId} stationChoice={<StationChoice value={stationId} onChange={choose} />} />
}
