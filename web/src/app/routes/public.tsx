import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages that need no session. Public tracking is not here: it has an entry of its own (`track-entry.tsx`). */
export function publicPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/': () => import('../../features/home/home-page.tsx'),
    '/public/delivery/$token': () => import('../../features/parcels/failed-delivery/delivery-page.tsx'),
    '/public/stations': () => import('../../features/stations/stations-page.tsx'),
    // These two have a light entry as well (`sign-in-entry.tsx`), which a server that knows `pages.json` prefers.
    '/login': () => import('../../features/accounts/sign-in/sign-in-page.tsx'),
    '/staff/login': () => import('../../features/accounts/sign-in/sign-in-page.tsx'),
    '/register': () => import('../../features/accounts/sign-in/register-page.tsx'),
    '/register/verify': () => import('../../features/accounts/sign-in/verify-page.tsx'),
    '/forgot-password': () => import('../../features/accounts/sign-in/forgot-password-page.tsx'),
    '/reset-password': () => import('../../features/accounts/sign-in/reset-password-page.tsx'),
  })
}
