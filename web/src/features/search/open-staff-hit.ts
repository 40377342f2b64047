import { useNavigate } from '@tanstack/react-router'
import type { SearchHit } from '@waybill/contract/search/search'

/** Opens the page of a hit of staff, which only their layout loads. */
export function useOpenStaffHit(): (hit: SearchHit) => void {
  const navigate = useNavigate()
  return ({ kind, id, title }) => {
    if (kind === 'account') void navigate({ to: '/staff/accounts/$id', params: { id } })
    else if (kind === 'ticket') void navigate({ to: '/staff/tickets/$id', params: { id } })
    else if (kind === 'pickup') void navigate({ to: '/staff/pickups', search: { no: title } })
    else if (kind === 'carrier_booking') void navigate({ to: '/staff/carriers', search: { tab: 'all', q: title } })
    else if (kind === 'station') void navigate({ to: '/staff/stations', search: { q: title } })
    else if (kind === 'colleague') void navigate({ to: '/staff/team', search: { q: title } })
    else if (kind === 'user') void navigate({ to: '/staff/team', search: { part: 'customers', q: title } })
    else if (kind === 'refund') void navigate({ to: '/staff/finance', search: { part: 'refunds', q: title } })
    else if (kind === 'rate_card') void navigate({ to: '/staff/rates/$id', params: { id } })
    else if (kind === 'banner') void navigate({ to: '/staff/content', search: { q: title } })
    else if (kind === 'bag') void navigate({ to: '/staff/bags', search: { no: title } })
    else if (kind === 'trip') void navigate({ to: '/staff/trips/$id', params: { id } })
    else if (kind === 'gunny') void navigate({ to: '/staff/gunny', search: { no: title } })
    else void navigate({ to: '/staff/parcels/$no', params: { no: title } })
  }
}
