import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Loading } from '../components/feedback/loading.tsx'
import { sessionStore } from '../lib/session.ts'
import { RouteError } from './boundary.tsx'
import { NotFoundPage } from './not-found.tsx'
import { Root } from './root.tsx'
import { portalPages } from './routes/portal.tsx'
import { publicPages } from './routes/public.tsx'
import { staffPages } from './routes/staff.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const publicLayout = createRoute({
  getParentRoute: () => root,
  id: 'public',
  component: lazyRouteComponent(() => import('./public-layout.tsx'), 'PublicLayout'),
})

const portalLayout = createRoute({
  getParentRoute: () => root,
  id: 'portal',
  beforeLoad: ({ location }) => {
    enter('customer', location.href)
  },
  component: lazyRouteComponent(() => import('./portal-layout.tsx'), 'PortalLayout'),
})

// Everything for staff is behind this one import: a customer's browser never loads it.
const staffLayout = createRoute({
  getParentRoute: () => root,
  id: 'staff',
  beforeLoad: ({ location }) => {
    enter('staff', location.href)
  },
  component: lazyRouteComponent(() => import('./staff-layout.tsx'), 'StaffLayout'),
})

/** Lets through who is signed in for this side; everybody else goes to its sign-in, and comes back here after it. */
function enter(side: 'customer' | 'staff', href: string): void {
  const { auth, tokens } = sessionStore.getState()
  if (!tokens.access) {
    const page = side === 'staff' ? '/staff/login' : '/login'
    throw redirect({ href: `${page}?next=${encodeURIComponent(href)}`, reloadDocument: true })
  }
  // Not to a screen of one role: the staff's home shows what each role may use.
  if (side === 'customer' && auth.user?.kind === 'staff') throw redirect({ href: '/staff' })
  if (side === 'staff' && auth.user?.kind === 'customer') throw redirect({ href: '/dashboard' })
}

export const router = createRouter({
  routeTree: root.addChildren([
    publicLayout.addChildren(publicPages(publicLayout)),
    portalLayout.addChildren(portalPages(portalLayout)),
    staffLayout.addChildren(staffPages(staffLayout)),
  ]),
  defaultPendingComponent: Loading,
  // `Loading` itself waits half a second before it says anything.
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
  defaultErrorComponent: RouteError,
  defaultPreload: 'intent',
  scrollRestoration: true,
})
