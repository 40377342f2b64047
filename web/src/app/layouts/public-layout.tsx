import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PublicFrame } from '../../components/layout/public-frame.tsx'
import { homePath, isStaffPage } from '../../features/accounts/shared/sign-in-path.ts'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import { loadSettings } from '../../lib/settings/load-settings.ts'
import { untilLoaded } from '../../lib/settings/until-loaded.ts'

/** Pages with more than one form. */
const widePages: readonly string[] = [
  '/',
  '/public/contact',
  '/public/prices',
  '/public/privacy',
  '/public/stations',
  '/public/terms',
]

/** The layout of visitors' pages: narrow for a single form, wide for several panels or a list. */
export function PublicLayout() {
  const t = useT()
  const wide = useRouterState({ select: (state) => widePages.includes(state.location.pathname) })
  const staffPage = useRouterState({
    select: ({ location }) => isStaffPage({ pathname: location.pathname, search: location.searchStr }),
  })
  const signedIn = useSession((state) => state.tokens.access !== null)
  const kind = useSession((state) => state.auth.user?.kind)
  useEffect(() => void untilLoaded(loadSettings), [])
  return (
    <PublicFrame
      width={wide ? 'page' : 'form'}
      links={
        signedIn ? (
          <a href={homePath(kind === 'staff')}>{t('nav.toPortal')}</a>
        ) : (
          // As on the sign-in page of staff: they do not register.
          !staffPage && (
            <>
              <a href="/login">{t('auth.signIn')}</a>
              <Link to="/register">{t('auth.register')}</Link>
            </>
          )
        )
      }
    >
      <Outlet />
    </PublicFrame>
  )
}
