import { StaffOrderPanel } from '../../features/orders/staff-order-panel.tsx'
import { StaffParcelPage } from '../../features/parcels/staff-parcel-page.tsx'

/** A parcel for staff, with its order. */
export function StaffParcelScreenPage() {
  return <StaffParcelPage order={StaffOrderPanel} />
}
