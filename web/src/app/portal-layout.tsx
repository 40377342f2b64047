import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ConfirmHost } from '../components/confirm.tsx'
import { useT } from '../lib/i18n.ts'
import { loadOptions, loadProfile, loadSettings } from '../lib/load.ts'
import { useSession } from '../lib/session.ts'
import { local } from '../lib/storage.ts'
import { BottomBar } from './bottom-bar.tsx'
import classes from './layout.module.css'
import { portalNav, visibleNav } from './nav.ts'
import { SessionGuard } from './session-guard.tsx'
import { SideNav } from './side-nav.tsx'
import { TopBar } from './top-bar.tsx'
import { useHasCod } from './use-has-cod.ts'
import { useLiveAnswers } from './use-live-answers.ts'

const collapsedKey = 'nav'

/** Around every page of a signed-in customer: navigation at the left (a bar at the bottom of a phone), search and account at the top. */
export function PortalLayout() {
  const t = useT()
  const router = useRouter()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const permissions = useSession((state) => state.auth.permissions)
  const [collapsed, setCollapsed] = useState(() => local.get(collapsedKey) === 'collapsed')
  const hasCod = useHasCod()
  const groups = visibleNav(portalNav, permissions, (to) => to in router.routesByPath && (to !== '/cod' || hasCod))

  useEffect(() => {
    void loadSettings()
    void loadProfile()
    void loadOptions()
  }, [])
  useLiveAnswers()

  function toggle() {
    local.set(collapsedKey, collapsed ? 'open' : 'collapsed')
    setCollapsed(!collapsed)
  }

  const CollapseIcon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={classes.portal} data-collapsed={collapsed}>
      <a className={classes.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={classes.header}>
        <TopBar />
      </header>
      <nav className={classes.side} aria-label={t('nav.main')}>
        <div className={classes.sideScroll}>
          <SideNav groups={groups} path={path} collapsed={collapsed} />
        </div>
        <button type="button" className={classes.collapse} onClick={toggle} aria-expanded={!collapsed}>
          <CollapseIcon size={20} stroke={1.75} aria-hidden />
          <span className={collapsed ? 'wb-hidden' : undefined}>{collapsed ? t('nav.expand') : t('nav.collapse')}</span>
        </button>
      </nav>
      <main id="main" tabIndex={-1} className={classes.page}>
        <Outlet />
      </main>
      <BottomBar groups={groups} path={path} />
      <ConfirmHost />
      <SessionGuard signInPath="/login" />
    </div>
  )
}
