import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages of signed-in staff, in a bundle of their own. */
export function staffPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/staff/carriers': () => import('../../features/carriers/carriers-page.tsx'),
    '/staff/gunny': () => import('../../features/parcels/gunny/gunny-scan-page.tsx'),
    '/staff/artworks': () => import('../../features/accounts/artwork/staff-artworks-page.tsx'),
    '/staff/scan': () => import('../../features/parcels/scanning/scan-page.tsx'),
    '/staff/cash': () => import('../../features/payments/cash-desk/cash-page.tsx'),
    '/staff/cash/closes': () => import('../../features/payments/cash-desk/closes-page.tsx'),
    '/staff/finance': () => import('./staff-finance.tsx'),
    '/staff/counter': () => import('../staff-counter.tsx'),
    '/staff/pickups': () => import('../staff-pickups.tsx'),
    '/staff/deliveries': () => import('../../features/parcels/rider-tasks/deliveries-page.tsx'),
    '/staff/rates': () => import('../../features/pricing/rate-cards/rates-page.tsx'),
    '/staff/rates/$id': () => import('../../features/pricing/rate-cards/rate-card-page.tsx'),
    '/staff/zones': () => import('../../features/stations/zones/zones-page.tsx'),
    '/staff/reweigh': () => import('../../features/parcels/weighing/reweigh-page.tsx'),
    '/staff/disputes': () => import('../../features/parcels/weighing/disputes-page.tsx'),
    '/staff/capacity': () => import('../staff-capacity.tsx'),
    '/staff/holidays': () => import('../../features/settings/holidays/holidays-page.tsx'),
    '/staff/settings': () => import('../../features/settings/settings-page.tsx'),
    '/staff/users': () => import('../../features/accounts/staff/staff-users-page.tsx'),
    '/staff/profile': () => import('../../features/accounts/staff/staff-profile-page.tsx'),
    '/staff/failed-work': () => import('../../features/failed-work/failed-work-page.tsx'),
    '/staff': () => import('../staff-home.tsx'),
  })
}
