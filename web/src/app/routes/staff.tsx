import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages of signed-in staff, in a bundle of their own. */
export function staffPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/staff/carriers': () => import('../../features/carriers/carriers-page.tsx'),
    '/staff/gunny': () => import('../../features/scans/gunny-scan-page.tsx'),
    '/staff/artworks': () => import('../../features/accounts/staff-artworks-page.tsx'),
    '/staff/scan': () => import('../../features/scans/scan-page.tsx'),
    '/staff/cash': () => import('../../features/cash/cash-page.tsx'),
    '/staff/cash/closes': () => import('../../features/cash/closes-page.tsx'),
    '/staff/finance': () => import('./staff-finance.tsx'),
    '/staff/counter': () => import('../staff-counter.tsx'),
    '/staff/pickups': () => import('../staff-pickups.tsx'),
    '/staff/deliveries': () => import('../../features/scans/deliveries-page.tsx'),
    '/staff/rates': () => import('../../features/rates/rates-page.tsx'),
    '/staff/rates/$id': () => import('../../features/rates/rate-card-page.tsx'),
    '/staff/zones': () => import('../../features/zones/zones-page.tsx'),
    '/staff/reweigh': () => import('../../features/weighing/reweigh-page.tsx'),
    '/staff/disputes': () => import('../../features/weighing/disputes-page.tsx'),
    '/staff/capacity': () => import('../staff-capacity.tsx'),
    '/staff/holidays': () => import('../../features/settings/holidays-page.tsx'),
    '/staff/settings': () => import('../../features/settings/settings-page.tsx'),
    '/staff/users': () => import('../../features/accounts/staff-users-page.tsx'),
    '/staff/profile': () => import('../../features/accounts/staff-profile-page.tsx'),
    '/staff/failed-work': () => import('../../features/failed-work/failed-work-page.tsx'),
    '/staff': () => import('../staff-home.tsx'),
  })
}
