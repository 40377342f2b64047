import { createRouter } from '@tanstack/react-router'
import { Loading } from '../components/feedback/loading.tsx'
import { RouteError } from './layouts/route-error.tsx'
import { rootRoute } from './routes/layouts.tsx'
import { portalRoutes } from './routes/portal.ts'
import { publicRoutes } from './routes/public.ts'
import { staffRoutes } from './routes/staff.ts'

/** The router of the application. Links and search params are checked against its routes by the compiler. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([publicRoutes, portalRoutes, staffRoutes]),
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
