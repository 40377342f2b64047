import { StationChoice, useChosenStation } from '../../features/parcels/scanning/station-choice.tsx'
import { CapacityPage } from '../../features/pickups/capacity-page.tsx'

/** What the station that this member of staff works at, or stands in for, can fetch. */
export function StaffCapacityPage() {
  const [stationId, choose] = useChosenStation()
  return <CapacityPage stationId={stationId} stationChoice={<StationChoice value={stationId} onChange={choose} />} />
}
