import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages of signed-in staff, in a bundle of their own. */
export function staffPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/staff/scan': () => import('../../features/scans/scan-page.tsx'),
    '/staff/finance': () => import('./staff-finance.tsx'),
    '/staff': () => import('../staff-home.tsx'),
  })
}
