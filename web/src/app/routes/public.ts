import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { leaveIfSignedIn, publicLayout } from './layouts.tsx'
import { pricesSearch } from './search.ts'

/** Pages that need no session. Public tracking is not here: it has a separate entry (`entries/track.tsx`). */
// A separate constant: inside `addChildren(…)` the compiler would infer `any` for paths and search params.
const pages = [
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/',
    component: lazyRouteComponent(() => import('../../features/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/address/$token',
    component: lazyRouteComponent(
      () => import('../../features/addresses/requests/answer-page.tsx'),
      'AnswerAddressPage',
    ),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/delivery/$token',
    component: lazyRouteComponent(
      () => import('../../features/parcels/failed-delivery/delivery-page.tsx'),
      'DeliveryPage',
    ),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/following/$token',
    component: lazyRouteComponent(
      () => import('../../features/tracking/following/following-page.tsx'),
      'FollowingPage',
    ),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/prices',
    validateSearch: pricesSearch,
    component: lazyRouteComponent(() => import('../../features/pricing/estimate/prices-page.tsx'), 'PricesPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/stations',
    component: lazyRouteComponent(() => import('../../features/stations/stations-page.tsx'), 'StationsPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/terms',
    component: lazyRouteComponent(() => import('../../features/legal/legal-page.tsx'), 'TermsPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/privacy',
    component: lazyRouteComponent(() => import('../../features/legal/legal-page.tsx'), 'PrivacyPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/public/contact',
    component: lazyRouteComponent(() => import('../../features/legal/contact-page.tsx'), 'ContactPage'),
  }),
  // These two also have a light entry (`entries/sign-in.tsx`), which a server that knows `pages.json` prefers.
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/login',
    beforeLoad: ({ location }) => leaveIfSignedIn(location.searchStr),
    component: lazyRouteComponent(() => import('../../features/accounts/sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/staff/login',
    beforeLoad: ({ location }) => leaveIfSignedIn(location.searchStr),
    component: lazyRouteComponent(() => import('../../features/accounts/sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/auth/callback',
    component: lazyRouteComponent(() => import('../../features/accounts/sign-in/callback-page.tsx'), 'CallbackPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/register',
    beforeLoad: ({ location }) => leaveIfSignedIn(location.searchStr),
    component: lazyRouteComponent(
      () => import('../../features/accounts/registration/register-page.tsx'),
      'RegisterPage',
    ),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/register/verify',
    component: lazyRouteComponent(() => import('../../features/accounts/registration/verify-page.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/forgot-password',
    component: lazyRouteComponent(
      () => import('../../features/accounts/sign-in/forgot-password-page.tsx'),
      'ForgotPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => publicLayout,
    path: '/reset-password',
    component: lazyRouteComponent(
      () => import('../../features/accounts/sign-in/reset-password-page.tsx'),
      'ResetPasswordPage',
    ),
  }),
] as const

export const publicRoutes = publicLayout.addChildren(pages)
