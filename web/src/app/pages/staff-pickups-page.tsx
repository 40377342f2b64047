import { StationChoice, useChosenStation } from '../../features/parcels/scanning/station-choice.tsx'
import { PickupTasksPage } from '../../features/pickups/pickup-tasks-page.tsx'
import { useSession } from '../../lib/session.ts'

/** The pickups of a station: staff of a station see their own; all others select one. */
export function StaffPickupsPage() {
  const own = useSession((state) => state.auth.user?.staff)
  const [chosenId, choose] = useChosenStation()
  const boundId = own && own.type !== 'superadmin' ? own.stationId : null
  const stationId = boundId ?? chosenId
  const choice = boundId === null && <StationChoice value={stationId} onChange={choose} />
  return <PickupTasksPage stationId={stationId} stationChoice={choice} />
}
