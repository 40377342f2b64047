import type { AnyRoute } from '@tanstack/react-router'
import { pagesUnder } from '../page.ts'

/** Pages that need no session. Public tracking is not here: it has an entry of its own (`track-entry.tsx`). */
export function publicPages(parent: AnyRoute): AnyRoute[] {
  return pagesUnder(parent, {
    '/': () => import('../../features/home/home-page.tsx'),
    '/public/delivery/$token': () => import('../../features/delivery-choice/delivery-page.tsx'),
    '/public/stations': () => import('../../features/stations/stations-page.tsx'),
    // These two have a light entry as well (`sign-in-entry.tsx`), which a server that knows `pages.json` prefers.
    '/login': () => import('../../features/accounts/sign-in-page.tsx'),
    '/staff/login': () => import('../../features/accounts/sign-in-page.tsx'),
    '/register': () => import('../../features/accounts/register-page.tsx'),
    '/register/verify': () => import('../../features/accounts/verify-page.tsx'),
    '/forgot-password': () => import('../../features/accounts/forgot-password-page.tsx'),
    '/reset-password': () => import('../../features/accounts/reset-password-page.tsx'),
  })
}
