import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages of signed-in staff, in a bundle of their own. */
export function staffPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/staff/carriers': () => import('../../features/carriers/carriers-page.tsx'),
    '/staff/scan': () => import('../../features/scans/scan-page.tsx'),
    '/staff/finance': () => import('./staff-finance.tsx'),
    '/staff/counter': () => import('../../features/scans/counter-page.tsx'),
    '/staff/pickups': () => import('../../features/pickups/pickup-tasks-page.tsx'),
    '/staff/deliveries': () => import('../../features/scans/deliveries-page.tsx'),
    '/staff': () => import('../staff-home.tsx'),
  })
}
