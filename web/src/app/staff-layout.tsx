import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Brand } from '../components/brand.tsx'
import { ConfirmHost } from '../components/confirm.tsx'
import { LanguageSwitch, SchemeSwitch } from '../components/switches.tsx'
import { useT } from '../lib/i18n.ts'
import { loadOptions, loadProfile, loadSettings } from '../lib/load.ts'
import { useSession } from '../lib/session.ts'
import { AccountMenu } from './account-menu.tsx'
import classes from './layout.module.css'
import { staffNav, visibleNav } from './nav.ts'
import { SessionGuard } from './session-guard.tsx'
import { presentItem } from './side-nav.tsx'

/** The plainer frame of staff: one bar at the top, the work below. */
export function StaffLayout() {
  const t = useT()
  const router = useRouter()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const permissions = useSession((state) => state.auth.permissions)
  const groups = visibleNav(staffNav, permissions, (to) => to in router.routesByPath)
  const present = presentItem(groups, path)
  useEffect(() => {
    void loadSettings()
    void loadProfile()
    void loadOptions()
  }, [])
  return (
    <div className={classes.staff}>
      <a className={classes.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={classes.staffHeader}>
        <div className={classes.top}>
          <Link to="/staff" className={classes.brand}>
            <Brand />
          </Link>
          <nav className={classes.staffNav} aria-label={t('nav.main')}>
            {groups.flatMap(({ items }) =>
              items.map(({ to, label, icon: Icon }) => (
                <Link key={to} to={to} className={classes.item} aria-current={to === present ? 'page' : undefined}>
                  <Icon size={20} stroke={1.75} aria-hidden />
                  <span>{t(`nav.${label}`)}</span>
                </Link>
              )),
            )}
          </nav>
          <div className={classes.tools}>
            <LanguageSwitch />
            <SchemeSwitch />
            <AccountMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={classes.page}>
        <Outlet />
      </main>
      <ConfirmHost />
      <SessionGuard signInPath="/staff/login" />
    </div>
  )
}
