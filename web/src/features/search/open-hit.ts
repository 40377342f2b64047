import { useNavigate } from '@tanstack/react-router'
import type { SearchHit } from '@waybill/contract/search/search'

/** Opens the page of a customer's hit. */
export function useOpenHit(): (hit: SearchHit) => void {
  const navigate = useNavigate()
  return ({ kind, id, title }) => {
    if (kind === 'parcel') void navigate({ to: '/parcels/$id', params: { id } })
    else if (kind === 'order' || kind === 'invoice') void navigate({ to: '/orders/$id', params: { id } })
    else if (kind === 'gunny') void navigate({ to: '/gunny/$id', params: { id } })
    else if (kind === 'pickup') void navigate({ to: '/pickups', search: { q: title } })
    else if (kind === 'ticket') void navigate({ to: '/tickets/$id', params: { id } })
    else if (kind === 'station') void navigate({ to: '/stations', search: { q: title } })
    else void navigate({ to: '/address-book', search: { q: title } })
  }
}
