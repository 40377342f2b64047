import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signInPath } from '../../features/accounts/shared/sign-in-path.ts'
import { signedInPath } from '../../features/accounts/sign-in/signed-in-path.ts'
import { sessionStore } from '../../lib/session.ts'
import { PortalLayout } from '../layouts/portal-layout.tsx'
import { Root } from '../layouts/root.tsx'

/** The parent routes of all pages: the root, and one layout each for visitors, customers and staff. */
export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: lazyRouteComponent(() => import('../layouts/not-found.tsx'), 'NotFoundPage'),
})

export const publicLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: lazyRouteComponent(() => import('../layouts/public-layout.tsx'), 'PublicLayout'),
})

export const portalLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'portal',
  beforeLoad: ({ location }) => requireSession('customer', location.href),
  component: PortalLayout,
})

/** Everything for staff is behind this import: a customer's browser never loads it. */
export const staffLayout = createRoute({
  getParentRoute: () => rootRoute,
  id: 'staff',
  beforeLoad: ({ location }) => requireSession('staff', location.href),
  component: lazyRouteComponent(() => import('../layouts/staff-layout.tsx'), 'StaffLayout'),
})

/** Redirects a signed-in user who needs neither to sign in nor to register. */
export function leaveIfSignedIn(search: string): void {
  const href = signedInPath(search)
  if (href !== null) throw redirect({ href, reloadDocument: true })
}

/**
 * Redirects a visitor to the sign-in page, which then leads to `href`, and a signed-in user of the other side to their
 * own home page.
 */
function requireSession(side: 'customer' | 'staff', href: string): void {
  const { auth, tokens } = sessionStore.getState()
  if (!tokens.access) {
    throw redirect({ href: `${signInPath(side === 'staff')}?next=${encodeURIComponent(href)}`, reloadDocument: true })
  }
  // Not to a screen of one role: the home page of staff shows what each role may use.
  if (side === 'customer' && auth.user?.kind === 'staff') throw redirect({ href: '/staff', reloadDocument: true })
  if (side === 'staff' && auth.user?.kind === 'customer') throw redirect({ to: '/dashboard' })
}
