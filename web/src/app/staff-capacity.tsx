import { CapacityPage } from '../features/pickups/capacity-page.tsx'
import { StationChoice, useChosenStation } from '../features/scans/station-choice.tsx'

/** What the station that this member of staff works at, or stands in for, can fetch. */
export function StaffCapacityPage() {
  const [stationId, choose] = useChosenStation()
  return <CapacityPage stationId={stationId} stationChoice={<StationChoice value={stationId} onChange={choose} />} />
}
