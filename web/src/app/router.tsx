import { createRouter } from '@tanstack/react-router'
import { Loading } from '../components/feedback/loading.tsx'
import { RouteError } from './layouts/route-error.tsx'
import { rootRoute } from './routes/layouts.tsx'
import { portalRoutes } from './routes/portal.ts'
import { publicRoutes } from './routes/public.ts'
import type { StaffRoutes } from './routes/staff.ts'

type Routes = [typeof publicRoutes, typeof portalRoutes, StaffRoutes]

/**
 * The router of the application. Links and search params are checked against all its routes by the compiler, also if
 * those of staff are not loaded (null).
 */
export function createApplicationRouter(staffRoutes: StaffRoutes | null) {
  const routes = [publicRoutes, portalRoutes, staffRoutes].filter((route) => route !== null)
  return createRouter({
    routeTree: rootRoute.addChildren(routes as Routes),
    defaultPendingComponent: Loading,
    // `Loading` itself waits half a second before it appears.
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultPreload: 'intent',
    // Another parcel, account or thread is another screen: what was typed for one must not stay for the next.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createApplicationRouter>
  }
}
