import { StationChoice, useChosenStation } from '../../features/parcels/scanning/station-choice.tsx'
import { CapacityPage } from '../../features/pickups/capacity-page.tsx'

/** The pickup capacity of the user's own station, or of the station they currently work at. */
export function StaffCapacityPage() {
  const [stationId, choose] = useChosenStation()
  return <CapacityPage stationId={stationId} stationChoice={<StationChoice value={stationId} onChange={choose} />} />
}
